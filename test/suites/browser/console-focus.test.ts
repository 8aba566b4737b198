import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { followButton, lastText, log, openConsole, rowWith, shownRows } from './console-page.ts';
import { eventually } from './eventually.ts';
import { DB, TALK, WEB } from './talk-scenario.ts';
import { openWorld } from './world.ts';

const world = openWorld({ scenario: TALK });
const isPressed = (page: Page) => followButton(page).getAttribute('aria-pressed');
const pill = (page: Page) => page.locator('[data-new-lines]');
const hasLogFocus = (page: Page) => log(page).evaluate((pane) => pane === document.activeElement);

test('what a click takes away leaves the focus to the log', async () => {
  const { page } = await openConsole(world, [WEB, DB]);
  await log(page).focus();
  await page.keyboard.press('PageUp');
  await eventually(() => isPressed(page)).toBe('false');
  await world.cluster.control.writeLines({ workload: 'deployments/web', text: ['one more'] });
  await pill(page).click();
  await eventually(() => lastText(page)).toBe('one more');
  expect(await hasLogFocus(page)).toBe(true);
  await page.locator('[data-facet="container"]', { hasText: 'db-0' }).getByRole('button').first().click();
  await page.getByRole('button', { name: /^Remove the filter/ }).click();
  await eventually(() => page.locator('[data-chip]').count()).toBe(0);
  expect(await hasLogFocus(page)).toBe(true);
  await page.getByRole('button', { name: `Remove ${DB}` }).click();
  await eventually(() => page.locator('[data-source-argument]').count()).toBe(1);
  expect(await hasLogFocus(page)).toBe(true);
});

test('after a click on a facet the keys are those of the log, after Enter those of the list', async () => {
  const { page } = await openConsole(world, [WEB, DB]);
  const facet = page.locator('[data-facet="container"]', { hasText: 'db-0' }).getByRole('button').first();
  await facet.click();
  expect(await hasLogFocus(page)).toBe(true);
  await page.keyboard.press('Space');
  await eventually(() => page.locator('.console').getAttribute('data-paused')).toBe('true');
  await facet.focus();
  await page.keyboard.press('Enter');
  expect(await hasLogFocus(page)).toBe(false);
});

test('PageUp shows what is before the view with its first press, also while a button has the focus', async () => {
  const { page } = await openConsole(world, [WEB]);
  await rowWith(page, 'web line').waitFor();
  await followButton(page).click();
  await followButton(page).click();
  expect(await isPressed(page)).toBe('true');
  const top = (await shownRows(page)).find((row) => row.top >= 0);
  await page.keyboard.press('PageUp');
  await eventually(() => isPressed(page)).toBe('false');
  await eventually(async () =>
    (await shownRows(page)).findIndex(({ entry }) => entry === top?.entry),
  ).toBeGreaterThan(20);
  await followButton(page).click();
  expect(await isPressed(page)).toBe('true');
  await page.keyboard.press('Home');
  await eventually(() => isPressed(page)).toBe('false');
  await rowWith(page, 'web line 1').waitFor();
});

test('does not count lines that no filter lets through as new', async () => {
  const { page } = await openConsole(world, [WEB, DB]);
  await page.locator('[data-facet="container"]', { hasText: 'db-0' }).getByRole('button').first().click();
  await eventually(async () => (await shownRows(page)).every(({ text }) => text.startsWith('db'))).toBe(true);
  await log(page).focus();
  await page.keyboard.press('PageUp');
  await eventually(() => isPressed(page)).toBe('false');
  const lines = page.locator('.status-bar b').nth(2);
  const before = await lines.textContent();
  await world.cluster.control.writeLines({ workload: 'deployments/web', text: ['left out', 'left out too'] });
  await eventually(() => lines.textContent()).not.toBe(before);
  await world.cluster.control.writeLines({ workload: 'statefulsets/db', index: 0, text: ['shown'] });
  await pill(page).waitFor();
  expect(await pill(page).getAttribute('data-new-lines')).toBe('1');
});

test('a time zone is found by typing its name while lines stream, and following continues', async () => {
  const { page } = await openConsole(world, [WEB]);
  await world.cluster.control.writeLines({
    workload: 'deployments/web',
    text: ['level=error first', 'level=warn second'],
  });
  const written = world.cluster.control.writeBurst({
    workload: 'deployments/web',
    text: 'tick {n}',
    count: 300,
    perSecond: 200,
  });
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await zone.focus();
  // Each of these letters is also a key of the log.
  await page.keyboard.type('Europe/Ma');
  await eventually(() => zone.inputValue()).toBe('Europe/Madrid');
  await page.waitForURL(/tz=Europe\/Madrid/);
  await written;
  await eventually(() => lastText(page)).toBe('tick 300');
  expect(await isPressed(page)).toBe('true');
});

const anyRow = (page: Page) => page.locator('.log-scroll [data-kind="line"]').last();

/** Whether the log has a focus frame. */
const hasFrame = (page: Page) =>
  log(page).evaluate((pane) => {
    const above = getComputedStyle(pane.parentElement!, '::after');
    return getComputedStyle(pane).outlineStyle !== 'none' || above.content !== 'none';
  });

test('no frame stands around the log that nobody went to, and one does from the first key on', async () => {
  const { page } = await openConsole(world, [WEB]);
  await anyRow(page).waitFor();
  expect(await hasLogFocus(page)).toBe(true);
  expect(await hasFrame(page)).toBe(false);
  await anyRow(page).click();
  expect(await hasFrame(page)).toBe(false);
  await page.keyboard.press('ArrowUp');
  await eventually(() => hasFrame(page)).toBe(true);
});

test('who goes to the log with Tab sees its frame', async () => {
  const { page } = await openConsole(world, [WEB]);
  await anyRow(page).waitFor();
  await page.locator('[data-search-field]').click();
  expect(await hasFrame(page)).toBe(false);
  for (let stop = 0; stop < 40 && !(await hasLogFocus(page)); stop++) await page.keyboard.press('Tab');
  expect(await hasLogFocus(page)).toBe(true);
  expect(await hasFrame(page)).toBe(true);
});

test('a facet is one stop of Tab: right and left go to the sign that excludes it and back', async () => {
  const { page } = await openConsole(world, [WEB, DB]);
  await anyRow(page).waitFor();
  const facet = page.locator('[data-facet="container"]', { hasText: 'db-0' });
  const order = await page
    .locator('[data-facet]')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-value') ?? ''));
  await page.locator('.facet-value').first().focus();
  const stops: string[] = [];
  for (;;) {
    const stop = await page.evaluate(() => {
      const element = document.activeElement;
      if (element?.closest('.facets') == null) return undefined;
      return element.closest('[data-facet]')?.getAttribute('data-value') ?? 'no facet';
    });
    if (stop === undefined) break;
    stops.push(stop);
    await page.keyboard.press('Tab');
  }
  expect(stops.filter((stop) => stop !== 'no facet')).toEqual(order);
  await facet.locator('.facet-value').focus();
  await page.keyboard.press('ArrowRight');
  expect(await facet.locator('.facet-exclude').evaluate((sign) => sign === document.activeElement)).toBe(
    true,
  );
  await page.keyboard.press('ArrowLeft');
  expect(await facet.locator('.facet-value').evaluate((value) => value === document.activeElement)).toBe(
    true,
  );
});
