import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import {
  followButton,
  heldLines,
  lastText,
  log,
  openConsole,
  settledLines,
  settledRows,
  shownRows,
  shownTexts,
} from './console-page.ts';
import { eventually } from './eventually.ts';
import { TALK, WEB } from './talk-scenario.ts';
import { openWorld } from './world.ts';

const world = openWorld({ scenario: TALK });
let number = 0;

/** Writes lines with texts unique among the tests; returns their texts. */
async function write(count: number): Promise<readonly string[]> {
  number += 1;
  const texts = Array.from({ length: count }, (_, index) => `say ${number}.${index + 1}`);
  await world.cluster.control.writeLines({ workload: 'deployments/web', text: texts });
  return texts;
}
const isPressed = (page: Page) => followButton(page).getAttribute('aria-pressed');
const pill = (page: Page) => page.locator('[data-new-lines]');

test('console 1: opening shows the newest line and the control "Following", pressed', async () => {
  const texts = await write(1);
  const { page } = await openConsole(world, [WEB]);
  await eventually(() => lastText(page)).toBe(texts[0]);
  expect(
    await page.getByRole('button', { name: 'Following', exact: true }).getAttribute('aria-pressed'),
  ).toBe('true');
});

test('console 2: while following, the last row stays in view', async () => {
  const { page } = await openConsole(world, [WEB]);
  for (let times = 0; times < 3; times++) {
    const texts = await write(times === 1 ? 200 : 3);
    await eventually(() => lastText(page)).toBe(texts.at(-1));
  }
});

test('console 3: wheel-up, PageUp and Home turn following off at once; arriving lines never do', async () => {
  const { page } = await openConsole(world, [WEB]);
  const texts = await write(400);
  await eventually(() => lastText(page)).toBe(texts.at(-1));
  expect(await isPressed(page)).toBe('true');
  const ways = [
    async () => {
      await log(page).hover();
      await page.mouse.wheel(0, -100);
    },
    () => page.keyboard.press('PageUp'),
    () => page.keyboard.press('Home'),
  ];
  for (const way of ways) {
    await log(page).focus();
    await page.keyboard.press('End');
    await eventually(() => isPressed(page)).toBe('true');
    await way();
    await eventually(() => isPressed(page)).toBe('false');
  }
});

test('console 4: with following off, the first visible row keeps its place while 1,000 lines arrive', async () => {
  const { page } = await openConsole(world, [WEB]);
  await log(page).hover();
  await page.mouse.wheel(0, -600);
  await eventually(() => isPressed(page)).toBe('false');
  await eventually(async () => {
    const before = (await shownRows(page))[1]?.top;
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    return before === (await shownRows(page))[1]?.top;
  }).toBe(true);
  const [, row] = await shownRows(page);
  // Checked in every frame, from inside the page.
  await page.evaluate((entry) => {
    const tops: number[] = [];
    const check = () => {
      const element = document.querySelector(`[data-entry="${entry}"]`);
      tops.push(element?.getBoundingClientRect().top ?? Number.NaN);
      requestAnimationFrame(check);
    };
    check();
    Object.assign(globalThis, { tops });
  }, row?.entry);
  for (let times = 0; times < 10; times++) await write(100);
  await eventually(() => pill(page).getAttribute('data-new-lines')).toBe('1000');
  const tops = await page.evaluate(() => (globalThis as unknown as { tops: number[] }).tops);
  expect(tops.length).toBeGreaterThan(5);
  expect(Math.max(...tops) - Math.min(...tops)).toBeLessThanOrEqual(1);
});

test('console 5: a pill counts the new lines; a click or End goes there and follows again', async () => {
  const { page } = await openConsole(world, [WEB]);
  for (const way of ['click', 'End'] as const) {
    await log(page).focus();
    await page.keyboard.press('PageUp');
    await eventually(() => isPressed(page)).toBe('false');
    await write(127);
    await pill(page).getByText('127 new lines').waitFor();
    const texts = await write(1);
    await pill(page).getByText('128 new lines').waitFor();
    if (way === 'click') await pill(page).click();
    else await page.keyboard.press('End');
    await eventually(() => lastText(page)).toBe(texts.at(-1));
    expect(await isPressed(page)).toBe('true');
    expect(await pill(page).count()).toBe(0);
  }
});

test('console 6: Space pauses, shows when, and adds no row until it resumes', async () => {
  const { page } = await openConsole(world, [WEB]);
  const texts = await write(2);
  await eventually(() => lastText(page)).toBe(texts.at(-1));
  await log(page).focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: /^Paused \d\d:\d\d:\d\d$/ }).waitFor();
  await settledLines(page);
  const before = await settledRows(page);
  const held = await log(page).getAttribute('aria-rowcount');
  await write(50);
  await page.getByText('50 waiting').waitFor();
  expect(await shownRows(page)).toEqual(before);
  expect(await log(page).getAttribute('aria-rowcount')).toBe(held);
});

test('console 7: on resume the lines of the pause appear once, in order', async () => {
  const { page } = await openConsole(world, [WEB]);
  await log(page).focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: /^Paused/ }).waitFor();
  const texts = [...(await write(7)), ...(await write(8))];
  await page.getByText('15 waiting').waitFor();
  await page.keyboard.press('Space');
  await eventually(async () => (await shownTexts(page)).slice(-15)).toEqual(texts);
  expect((await shownTexts(page)).filter((text) => texts.includes(text))).toEqual(texts);
});

test('an error that came since the pause is the next one: e shows it, and what comes later waits', async () => {
  const { page } = await openConsole(world, [WEB]);
  const [before] = await write(1);
  await eventually(() => lastText(page)).toBe(before);
  await log(page).focus();
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: /^Paused/ }).waitFor();
  const error = `ERROR since the pause of ${before}`;
  await world.cluster.control.writeLines({ workload: 'deployments/web', text: [error] });
  await page.getByText('1 waiting').waitFor();
  await page.keyboard.press('e');
  await eventually(() => page.locator('.log-scroll .cur .message').textContent()).toContain(
    'since the pause',
  );
  await write(1);
  await page.getByText('1 waiting').waitFor();
});

test('console 8: past the limit of the buffer one row says how many lines are not shown, and loads them', async () => {
  const { page } = await openConsole(world, [WEB], {
    // The page's own limit is a million lines; the test sets a smaller one.
    prepare: (page) =>
      page.addInitScript(() => {
        const post = Worker.prototype.postMessage;
        Worker.prototype.postMessage = function (this: Worker, ...args: unknown[]) {
          const [message] = args as [{ type?: string }];
          if (message.type === 'start')
            Object.assign(message, { limits: { lines: 2_000, bytes: 10_000_000 } });
          return Reflect.apply(post, this, args);
        };
      }),
  });
  // A line later than all earlier ones: from here on the page's content is known.
  const texts = [...(await write(1))];
  await eventually(() => lastText(page)).toBe(texts[0]);
  const held = (await settledLines(page)) - texts.length;
  for (let times = 0; times < 8; times++) {
    texts.push(...(await write(500)));
    await eventually(() => lastText(page)).toBe(texts.at(-1));
  }
  expect(await heldLines(page)).toBeLessThanOrEqual(2_000);
  const missing = page.locator('[data-kind="missing"]');
  await log(page).focus();
  // Rows are drawn slightly above the view, so the expected one may exist before it is in view.
  const first = async () => (await shownRows(page))[0]?.kind;
  for (let pages = 0; pages < 200 && (await first()) !== 'missing'; pages++)
    await page.keyboard.press('PageUp');
  const gone = held + texts.length - (await settledLines(page));
  await eventually(() => missing.textContent()).toBe(`${gone.toLocaleString('en')} lines not shown: Load`);
  await eventually(first).toBe('missing');
  const below = (await shownTexts(page))[1] ?? '';
  const before = texts[texts.indexOf(below) - 1];
  expect(before).toBeDefined();
  await missing.getByRole('button', { name: 'Load' }).click();
  // The hidden line is right above the next line.
  await eventually(async () => {
    const seen = await shownTexts(page);
    const at = seen.indexOf(below);
    if (at < 1) await page.keyboard.press(at === 0 ? 'ArrowUp' : 'ArrowDown');
    return seen[at - 1];
  }).toBe(before);
  const seen = (await shownTexts(page)).filter((text) => texts.includes(text));
  expect(seen).toEqual(texts.slice(texts.indexOf(seen[0] ?? ''), texts.indexOf(seen[0] ?? '') + seen.length));
});

test('console 9: above the rate of drawing a banner says how many lines come and are shown; none is lost', async () => {
  const { page } = await openConsole(world, [WEB]);
  const [mark] = await write(1);
  await eventually(() => lastText(page)).toBe(mark);
  const held = await settledLines(page);
  const written = world.cluster.control.writeBurst({
    workload: 'deployments/web',
    text: 'burst {n}',
    count: 40_000,
    perSecond: 6_000,
  });
  const banner = page.locator('[data-rate-banner]');
  await eventually(() => banner.textContent()).toMatch(/^[\d,]+ lines\/s received, [\d,]+ shown/);
  await written;
  await eventually(() => heldLines(page)).toBe(held + 40_000);
  await eventually(() => lastText(page)).toBe('burst 40000');
  await banner.waitFor({ state: 'detached' });
});
