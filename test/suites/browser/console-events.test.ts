import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { violationsOf } from './axe.ts';
import { log, openConsole, rowWith, settledRows, shownRows } from './console-page.ts';
import { eventually } from './eventually.ts';
import { openWorld } from './world.ts';

const world = openWorld({ scenario: 'scenarios/happenings/oom-container.yaml' });
const SOURCES = ['shop:deployments/web'];

const facts = (page: Page) => page.locator('.log-scroll [data-kind="fact"]');
const exits = (page: Page) => facts(page).filter({ hasText: 'exited 137 OOMKilled' });
const result = (page: Page) => page.getByRole('status', { name: 'Result' });

async function open(query = '', options: Parameters<typeof openConsole>[2] = {}) {
  const visit = await openConsole(world, SOURCES, { query, ...options });
  await facts(visit.page).first().waitFor();
  return visit;
}

test('an exit stands among the lines after the last one of its run, with its limit and how long it ran', async () => {
  const { page } = await open();
  const row = exits(page).last();
  expect(await row.textContent()).toMatch(
    /~web-[a-z0-9-]+\/app exited 137 OOMKilled \(limit 256Mi\) after \d+ s/,
  );
  expect(await row.getAttribute('data-severity')).toBe('fatal');
  // Severity must not depend on color only.
  expect(await row.locator('.level').textContent()).toBe('Fatal event');
  const pod = /web-[a-z0-9-]+/.exec((await row.textContent()) ?? '')?.[0];
  const rows = await settledRows(page);
  const own = await page.evaluate(
    (name) =>
      [...document.querySelectorAll<HTMLElement>('[data-kind="line"]')]
        .filter((line) => line.querySelector('.dot-cell')?.getAttribute('title')?.startsWith(name) === true)
        .map(({ dataset }) => Number(dataset.entry)),
    `${pod}/`,
  );
  const entry = await row.getAttribute('data-entry');
  const at = rows.findIndex((each) => each.entry === Number(entry));
  expect(rows.slice(at + 1).filter((each) => own.includes(each.entry))).toEqual([]);
});

test('x and Shift+X lead from event to event, Enter opens the proof and Escape closes it', async () => {
  const { page } = await open();
  await log(page).focus();
  await page.keyboard.press('Shift+X');
  const active = page.locator('.log-scroll .cur[data-kind="fact"]');
  await active.waitFor();
  const first = await active.getAttribute('data-entry');
  await page.keyboard.press('Shift+X');
  await eventually(() => active.getAttribute('data-entry')).not.toBe(first);
  await page.keyboard.press('x');
  await eventually(() => active.getAttribute('data-entry')).toBe(first);
  await page.keyboard.press('x');
  await eventually(() => result(page).textContent()).toMatch(/^No event further down/);
  await page.keyboard.press('Enter');
  const proof = active.getByRole('definition');
  await proof.first().waitFor();
  expect(await active.getAttribute('aria-expanded')).toBe('true');
  expect(await active.locator('dl').innerText()).toContain('shop/web-');
  await page.keyboard.press('Escape');
  await eventually(() => proof.count()).toBe(0);
});

test('going back finds events where no line is loaded yet, and says how far back the cluster has any', async () => {
  const { page } = await open('last=25m');
  await log(page).focus();
  let before = '';
  for (let step = 0; step < 200; step++) {
    await page.keyboard.press('Shift+X');
    await eventually(async () => {
      const entry = await page.locator('.log-scroll .cur').getAttribute('data-entry');
      const note = await result(page).textContent();
      return `${entry}` !== before || note?.startsWith('No event further up') === true;
    }).toBe(true);
    if ((await result(page).textContent())?.startsWith('No event further up') === true) break;
    before = `${await page.locator('.log-scroll .cur').getAttribute('data-entry')}`;
  }
  expect(await result(page).textContent()).toMatch(
    /^No event further up; searched back to (\S+ )?\d\d:\d\d:\d\d/,
  );
  await facts(page).filter({ hasText: 'Rollout' }).filter({ hasText: 'image v41 -> v42' }).waitFor();
});

test('the switch hides all events, a label hides its own, and the address keeps both', async () => {
  const { page } = await open();
  const group = page.getByRole('region', { name: 'Events' });
  const label = group.locator('[data-value="OOMKilled"] .facet-value');
  await label.click();
  await eventually(() => exits(page).count()).toBe(0);
  expect(page.url()).toContain('mute=OOMKilled');
  await label.click();
  await exits(page).first().waitFor();
  await group.getByRole('button', { name: 'off', exact: true }).click();
  await eventually(() => facts(page).count()).toBe(0);
  expect(page.url()).toContain('events=none');
  await log(page).focus();
  await page.keyboard.press('x');
  await eventually(() => result(page).textContent()).toBe('Events are off');
  await page.reload();
  await rowWith(page, '').waitFor();
  expect(await facts(page).count()).toBe(0);
  await page
    .getByRole('region', { name: 'Events' })
    .getByRole('button', { name: 'all', exact: true })
    .click();
  await facts(page).first().waitFor();
  expect(page.url()).toContain('events=all');
});

test('filters for lines leave events, and counts of lines have none', async () => {
  const { page } = await open();
  const held = Number(await page.locator('.console').getAttribute('data-rows-held'));
  await page.locator('[data-facet="level"][data-value="error"] .facet-value').click();
  await eventually(async () => (await shownRows(page)).map(({ kind }) => kind)).not.toContain('line');
  expect((await shownRows(page)).map(({ kind }) => kind)).toContain('fact');
  // Events do not count as matching lines.
  await page.locator('[data-empty]').filter({ hasText: 'No line' }).waitFor();
  expect(Number(await page.locator('.console').getAttribute('data-rows-held'))).toBe(held);
  // The chart and the scrollbar mark events.
  await page.locator('[data-event-mark="fatal"]').first().waitFor({ state: 'attached' });
  expect(await page.locator('.scroll-ticks .event').count()).toBeGreaterThan(0);
});

test('copied with times and pods an event is a line; copied as bytes it is left out', async () => {
  const { page } = await open();
  await log(page).focus();
  await page.keyboard.press('Control+A');
  await eventually(() => result(page).textContent()).toMatch(/^Selected/);
  const copied = async (key: string) => {
    await page.keyboard.press(key);
    await eventually(() => result(page).textContent()).toMatch(/^Copied/);
    return page.evaluate(() => navigator.clipboard.readText());
  };
  expect(await copied('c')).not.toContain('exited 137');
  await page.keyboard.press('Control+A');
  await eventually(() => result(page).textContent()).toMatch(/^Selected/);
  expect(await copied('Shift+C')).toMatch(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ web-\S+\/app exited 137 OOMKilled/m,
  );
});

test.each(['dark', 'light'] as const)(
  'axe finds no fault in events, open or not, in the %s theme',
  async (theme) => {
    const { page } = await open('last=25m', { theme });
    await page.locator('.rollout-band').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await log(page).focus();
    await page.keyboard.press('Shift+X');
    await page.locator('.log-scroll .cur[data-kind="fact"]').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.log-scroll .cur[data-kind="fact"] dl').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  },
);

test('at 390 px an event is its text above its time, and the page does not scroll sideways', async () => {
  const { page } = await open('', { width: 390 });
  const row = exits(page).last();
  await row.waitFor();
  const [text, time] = [
    await row.locator('.fact-text').boundingBox(),
    await row.locator('.time').boundingBox(),
  ];
  expect((text?.y ?? 0) + (text?.height ?? 0)).toBeLessThanOrEqual((time?.y ?? 0) + 2);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  expect(await violationsOf(page)).toEqual([]);
});
