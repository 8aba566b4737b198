import type { Page, Route } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  followButton,
  heldLines,
  lastText,
  log,
  openConsole,
  rowWith,
  settledRows,
  shownRows,
  shownTexts,
} from './console-page.ts';
import { eventually } from './eventually.ts';
import { LONG, TALK, WEB } from './talk-scenario.ts';
import { openWorld } from './world.ts';

const world = openWorld({ scenario: TALK });

/** Returns the first row that is fully visible, with its position. */
async function firstWhole(page: Page) {
  const rows = await shownRows(page);
  return rows.find(({ top }) => top >= 0);
}
const topOf = async (page: Page, entry: number) =>
  (await shownRows(page)).find((row) => row.entry === entry)?.top;

/** Returns the visible texts once they have not changed for twenty frames. */
async function settledTexts(page: Page): Promise<readonly string[]> {
  let texts: readonly string[] = [];
  await eventually(async () => {
    texts = await shownTexts(page);
    await page.evaluate(async () => {
      for (let frames = 0; frames < 20; frames++) await new Promise((done) => requestAnimationFrame(done));
    });
    return texts.length > 0 && JSON.stringify(texts) === JSON.stringify(await shownTexts(page));
  }).toBe(true);
  return texts;
}

/** Holds the page's requests for lines back until they are released. */
async function holdRequests(page: Page) {
  const held: Route[] = [];
  let isReleased = false;
  await page.route('**/logs', async (route) => {
    if (isReleased) await route.continue();
    else held.push(route);
  });
  const release = async () => {
    isReleased = true;
    for (const route of held) await route.continue();
  };
  return { held, release };
}

/** Scrolls until the page asks for more lines; the row being read must not move while they arrive. */
async function loadsWithoutMoving(page: Page, wheelPx: number) {
  await log(page).hover();
  const requests = await holdRequests(page);
  const held = await heldLines(page);
  for (let steps = 0; steps < 400 && requests.held.length === 0; steps++) {
    await page.mouse.wheel(0, wheelPx);
    await settledRows(page);
  }
  // The lines come only after the view has come to rest.
  await settledTexts(page);
  const read = await firstWhole(page);
  expect(await heldLines(page)).toBe(held);
  await requests.release();
  await eventually(() => heldLines(page)).toBeGreaterThan(held);
  await settledTexts(page);
  expect(
    Math.abs(((await topOf(page, read?.entry ?? -1)) ?? Number.NaN) - (read?.top ?? 0)),
  ).toBeLessThanOrEqual(1);
}

test('console 10: scrolling to the top loads older lines without moving the row being read', async () => {
  const { page } = await openConsole(world, [LONG]);
  await eventually(() => lastText(page)).toBe('old line 12000');
  await loadsWithoutMoving(page, -1_500);
  const seen = (await shownTexts(page)).map((text) => Number(/\d+$/.exec(text)?.[0]));
  expect(seen).toEqual(seen.map((_, index) => (seen[0] ?? 0) + index));
});

test('console 11: the true start reads "Beginning of logs"', async () => {
  const { page } = await openConsole(world, [LONG]);
  await log(page).focus();
  await page.keyboard.press('Home');
  await page.getByText('Beginning of logs').waitFor();
  await eventually(async () => (await shownTexts(page)).find((text) => text.startsWith('old'))).toBe(
    'old line 1',
  );
});

test('console 12: opened at a past time, the same happens downward', async () => {
  const { page: first } = await openConsole(world, [LONG]);
  await first.keyboard.press('Home');
  await rowWith(first, 'old line 9').locator('[data-time]').hover();
  const stamp = await first.getByRole('tooltip').textContent();
  const from = /^\S+/.exec(stamp ?? '')?.[0] ?? '';
  const { page } = await openConsole(world, [LONG], { query: `from=${encodeURIComponent(from)}` });
  expect(await followButton(page).getAttribute('aria-pressed')).toBe('false');
  await eventually(async () => (await shownTexts(page))[0]).toMatch(/^old line \d$/);
  await loadsWithoutMoving(page, 1_500);
  const seen = (await shownTexts(page)).map((text) => Number(/\d+$/.exec(text)?.[0]));
  expect(seen).toEqual(seen.map((_, index) => (seen[0] ?? 0) + index));
  await page.keyboard.press('End');
  await eventually(() => lastText(page)).toBe('old line 12000');
});

test('End goes to the last line of a range with an end, and follows nothing', async () => {
  const { page: first } = await openConsole(world, [LONG]);
  await rowWith(first, 'old line 11990').locator('[data-time]').hover();
  const to = /^\S+/.exec((await first.getByRole('tooltip').textContent()) ?? '')?.[0] ?? '';
  const { page } = await openConsole(world, [LONG], { query: `to=${encodeURIComponent(to)}&follow=1` });
  await eventually(() => lastText(page)).toMatch(/^old line 119\d\d$/);
  const last = await lastText(page);
  await page.keyboard.press('Home');
  await eventually(async () => (await shownTexts(page))[0]).toBe('old line 1');
  await page.keyboard.press('End');
  await eventually(() => lastText(page)).toBe(last);
  expect(await followButton(page).getAttribute('aria-pressed')).toBe('false');
  await eventually(() => new URL(page.url()).searchParams.get('follow')).toBe(null);
});

test('console 13: the range takes 15m, 2h, ISO text or a calendar; bad text is reported in place and changes nothing', async () => {
  const { page } = await openConsole(world, [WEB]);
  const button = page.getByRole('button', { name: /^Time range/ });
  const field = page.getByRole('textbox', { name: 'Range', exact: true });
  const enter = async (text: string) => {
    await button.click();
    await field.fill(text);
    await field.press('Enter');
  };
  await enter('15m');
  await page.waitForURL(/[?&]last=15m/);
  await enter('2h');
  await page.waitForURL(/[?&]last=2h/);
  const before = await settledTexts(page);
  const url = page.url();
  await enter('yesterday-ish');
  await page.getByRole('alert').waitFor();
  expect(await field.getAttribute('aria-invalid')).toBe('true');
  expect(page.url()).toBe(url);
  expect(await shownTexts(page)).toEqual(before);
  await field.fill('2020-01-01T00:00:00Z to 2020-01-01T00:05:00Z');
  await field.press('Enter');
  await page.waitForURL(/from=2020-01-01T00:00:00[.0]*Z&to=2020-01-01T00:05:00[.0]*Z/);
  await page.getByText('No lines in this range').waitFor();
  await button.click();
  await page.getByLabel('From', { exact: true }).fill('2020-02-02T10:00:00');
  await page.getByLabel('To', { exact: true }).fill('2020-02-02T11:00:00');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.waitForURL(/from=2020-02-02T10:00:00[.0]*Z&to=2020-02-02T11:00:00[.0]*Z/);
});

test('console 14: another time zone changes each stamp and never the order', async () => {
  const { page } = await openConsole(world, [WEB], { timeZone: 'UTC' });
  await eventually(() => lastText(page)).toBe('web line 300');
  const readView = async () => ({
    texts: await shownTexts(page),
    stamps: await page.locator('.log-scroll [data-time]').allTextContents(),
  });
  const before = await readView();
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await zone.focus();
  await zone.selectOption(['Asia/Kolkata', 'Asia/Calcutta']);
  await eventually(async () => (await readView()).stamps[0]).not.toBe(before.stamps[0]);
  const after = await readView();
  expect(after.texts).toEqual(before.texts);
  expect(after.stamps).toHaveLength(before.stamps.length);
  const minutes = (stamp: string) => Number(stamp.slice(0, 2)) * 60 + Number(stamp.slice(3, 5));
  for (const [index, stamp] of after.stamps.entries()) {
    expect((minutes(stamp) - minutes(before.stamps[index] ?? '') + 1440) % 1440).toBe(330);
    expect(stamp.slice(5)).toBe(before.stamps[index]?.slice(5));
  }
});

test('console 15: hovering a stamp shows the whole time in nanoseconds, and its age', async () => {
  const { page } = await openConsole(world, [WEB]);
  await rowWith(page, 'web line 300').locator('[data-time]').hover();
  await eventually(() => page.getByRole('tooltip').textContent()).toMatch(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z · (\d+ (s|min) ago|just now)$/,
  );
});

test('console 16: the histogram stacks levels, dragging sets the range and the URL, Escape restores', async () => {
  await world.cluster.control.writeLines({
    workload: 'deployments/web',
    text: ['level=error boom', 'level=warn hm', 'level=info fine'],
  });
  const { page } = await openConsole(world, [WEB]);
  await rowWith(page, 'boom').waitFor();
  const strip = page.getByRole('slider', { name: 'Time range of the lines' });
  await eventually(() => strip.getAttribute('aria-valuetext')).toMatch(/1 error.*1 warning/);
  const canvas = page.locator('.histogram canvas').first();
  await canvas.waitFor();
  const params = () => [...new URL(page.url()).searchParams];
  const before = params();
  const box = await canvas.boundingBox();
  if (box === null) throw new Error('the histogram is not to be seen');
  await page.mouse.move(box.x + box.width * 0.25, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.75, box.y + box.height / 2, { steps: 8 });
  await page.mouse.up();
  await page.waitForURL(/[?&]from=.*&to=/);
  await page.keyboard.press('Escape');
  await page.waitForURL((now) => !now.searchParams.has('from'));
  expect(params()).toEqual(before);
});

test('Escape in the middle of a drag over the histogram does not change the range, nor the previous one', async () => {
  const { page } = await openConsole(world, [LONG]);
  await eventually(() => lastText(page)).toBe('old line 12000');
  await world.cluster.control.writeLines({ workload: 'deployments/long', text: ['a later one'] });
  const strip = page.getByRole('slider', { name: 'Time range of the lines' });
  await eventually(() => strip.getAttribute('data-buckets').then(Number)).toBeGreaterThan(3);
  const canvas = page.locator('.histogram canvas').first();
  const drag = async (from: number, to: number, end: () => Promise<unknown>) => {
    const box = await canvas.boundingBox();
    if (box === null) throw new Error('the histogram is not to be seen');
    await page.mouse.move(box.x + box.width * from, box.y + 10);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * to, box.y + 10, { steps: 4 });
    await eventually(() => strip.getAttribute('data-brush')).toBe('drawing');
    await end();
    await page.mouse.up();
  };
  const range = () => new URL(page.url()).searchParams.get('from');
  await drag(0.3, 0.8, () => page.keyboard.press('Escape'));
  await eventually(() => strip.getAttribute('data-brush')).toBeNull();
  expect(range()).toBeNull();
  expect(await followButton(page).getAttribute('aria-pressed')).toBe('true');
  await drag(0.01, 0.8, async () => undefined);
  await page.waitForURL(/[?&]from=/);
  const first = range();
  // The chart shows that range alone, once it has been read.
  await eventually(() => strip.getAttribute('aria-valuetext')).toContain(`:${first?.slice(14, 19)} to `);
  await drag(0.3, 0.5, () => page.keyboard.press('Escape'));
  await eventually(() => strip.getAttribute('data-brush')).toBe('set');
  expect(range()).toBe(first);
  await page.keyboard.press('Escape');
  await page.waitForURL((now) => !now.searchParams.has('from'));
});
