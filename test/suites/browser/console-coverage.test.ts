import type { Page, Request } from 'playwright-core';
import { expect, test } from 'vitest';
import { heldLines, log, openConsole, rowWith, settledRows } from './console-page.ts';
import { eventually } from './eventually.ts';
import { openWorld } from './world.ts';

const SOURCE = 'shop:deployments/pay';
const START_MS = Date.parse('2026-11-21T10:00:00Z');
/**
 * One line a second; a warning every minute, errors from 10:50 on in the middle of the range, one fatal line.
 */
const LINES = 6_000;
/** One line a second, with an error every 2,000 lines. */
const LONG_LINES = 44_000;
const RANGE = 'from=2026-11-21T10:00:00Z&to=2026-11-21T11:40:00Z&tz=utc';

function textAt(index: number): string {
  if (index === 3_010) return 'FATAL pool exhausted';
  if (index >= 3_000 && index < 3_100) return `ERROR charge ${index} failed`;
  return index % 60 === 0 ? `WARN slow ${index}` : `INFO request ${index}`;
}

const world = openWorld({
  scenario: {
    seed: 1,
    namespace: 'shop',
    startDelays: 'none',
    namespaces: ['shop'],
    nodes: [{ name: 'a' }],
    users: [{ name: 'somebody' }],
    workloads: [
      {
        kind: 'Deployment',
        name: 'pay',
        containers: [
          {
            name: 'app',
            lines: Array.from({ length: LINES }, (_, index) => ({
              text: textAt(index),
              at: new Date(START_MS + index * 1_000).toISOString(),
            })),
          },
        ],
      },
      {
        kind: 'Deployment',
        name: 'long',
        containers: [
          {
            name: 'app',
            lines: Array.from({ length: LONG_LINES }, (_, index) => ({
              text: index % 2_000 === 1_999 || index === 500 ? `ERROR late ${index}` : `INFO more ${index}`,
              at: new Date(START_MS + index * 1_000).toISOString(),
            })),
          },
        ],
      },
      {
        kind: 'Deployment',
        name: 'bare',
        containers: [
          {
            name: 'app',
            lines: [1, 98].map((minutes) => ({
              text: `INFO bare ${minutes}`,
              at: new Date(START_MS + minutes * 60_000).toISOString(),
            })),
          },
        ],
      },
    ],
  },
});

test('a range is counted as a whole: levels, chart, hits', async () => {
  const { page } = await openConsole(world, [SOURCE], { query: RANGE });
  await rowWith(page, 'INFO').waitFor();
  await eventually(() => page.locator('.facet-scope').textContent()).toBe(
    'Counts in 2026-11-21 10:00:00 to 11:40:00',
  );
  const chart = page.getByRole('slider', { name: 'Time range of the lines' });
  await eventually(() => chart.getAttribute('aria-valuetext')).toContain(
    '6,000 lines, 100 errors, 98 warnings',
  );
  await page.getByRole('button', { name: 'errors begin 10:50:00' }).click();
  await rowWith(page, 'ERROR charge 3000 failed').waitFor();
  await page.getByRole('searchbox', { name: 'Search in the logs' }).fill('charge');
  const hits = page.getByRole('status', { name: 'Search' });
  await eventually(() => hits.textContent()).toBe('99 hits in 2026-11-21 10:00:00 to 11:40:00');
});

test('where errors begin stands inside the chart, and says how exactly it is known', async () => {
  const { page } = await openConsole(world, [SOURCE], { query: RANGE, width: 1440, height: 900 });
  const begin = page.getByRole('button', { name: 'errors begin 10:50:00' });
  await begin.waitFor();
  expect(await begin.getAttribute('title')).toBe(
    'The first error of the 15 s in which errors begin to come at least twice as often as before, more than chance explains',
  );
  const chart = await page.getByRole('region', { name: 'Lines over time' }).boundingBox();
  const label = await begin.boundingBox();
  const below = (chart?.y ?? 0) + (chart?.height ?? 0) - ((label?.y ?? 0) + (label?.height ?? 0));
  expect(below).toBeGreaterThanOrEqual(3);
});

test('the chart of a time chosen in it shows that time, with its counts and filters', async () => {
  const { page } = await openConsole(world, [SOURCE], { query: RANGE });
  const chart = page.getByRole('slider', { name: 'Time range of the lines' });
  const shown = () => chart.getAttribute('aria-valuetext');
  await eventually(shown).toContain('6,000 lines, 100 errors');
  await chart.press('Home');
  await chart.press('Enter');
  await page.getByRole('button', { name: 'Restore range' }).waitFor();
  await eventually(shown).toMatch(
    /^2026-11-21 10:00:00 to 10:0\d:\d\d: [\d,]+ lines, 0 errors, \d warnings?$/,
  );
  expect(Number(/: (\d+) lines/.exec((await shown()) ?? '')?.[1])).toBeLessThan(300);
  expect(Number(await chart.getAttribute('data-buckets'))).toBeGreaterThan(10);
  await page.locator('[data-facet="level"][data-value="warn"]').click();
  await eventually(shown).toMatch(/: (\d) lines?, 0 errors, \1 warnings?$/);
  await page.getByRole('button', { name: 'Restore range' }).click();
  await eventually(shown).toMatch(/ to 11:39:\d\d: 98 lines, 0 errors, 98 warnings$/);
});

test('all logs are counted without a range too: levels, chart, hits', async () => {
  const { page } = await openConsole(world, [SOURCE], { query: 'tz=utc' });
  await eventually(() => page.locator('.facet-scope').textContent()).toBe('Counts in all logs');
  const chart = page.getByRole('slider', { name: 'Time range of the lines' });
  await eventually(() => chart.getAttribute('aria-valuetext')).toContain(
    '6,000 lines, 100 errors, 98 warnings',
  );
  await page.getByRole('searchbox', { name: 'Search in the logs' }).fill('charge');
  const hits = page.getByRole('status', { name: 'Search' });
  await eventually(() => hits.textContent()).toBe('99 hits in all logs');
});

test('a filter whose lines are not loaded loads them, and never claims that there are none', async () => {
  const { page } = await openConsole(world, [SOURCE], { query: RANGE });
  await page
    .getByRole('button', { name: /^fatal/i })
    .first()
    .click();
  // By itself: a button that loads the newest of them is there for a moment only.
  await rowWith(page, 'FATAL pool exhausted').waitFor();
  expect(await page.getByText(/^No line/).count()).toBe(0);
});

test('the next error is the next one, though it lies in what is not loaded', async () => {
  const { page } = await openConsole(world, [SOURCE], { query: RANGE });
  await log(page).focus();
  await page.keyboard.press('Home');
  await rowWith(page, 'WARN slow 0').waitFor();
  await page.keyboard.press('e');
  await rowWith(page, 'ERROR charge 3000 failed').waitFor();
  await rowWith(page, 'ERROR charge 3001 failed').waitFor();
});

test.each([
  ['a range', RANGE],
  ['all logs', 'tz=utc'],
])('after End the previous error and hit are those above the end: %s', async (_, query) => {
  const { page } = await openConsole(world, [SOURCE], { query });
  const active = page.locator('.log-scroll .cur');
  await log(page).focus();
  await page.keyboard.press('Home');
  await rowWith(page, 'WARN slow 0').waitFor();
  await page.keyboard.press('e');
  await eventually(() => active.textContent()).toContain('ERROR charge 3000 failed');
  await page.keyboard.press('End');
  await rowWith(page, 'INFO request 5999').waitFor();
  await page.keyboard.press('Shift+E');
  await eventually(() => active.textContent()).toContain('ERROR charge 3099 failed');
  await page.getByRole('searchbox', { name: 'Search in the logs' }).fill('exhausted');
  await log(page).focus();
  await page.keyboard.press('Home');
  await rowWith(page, 'WARN slow 0').waitFor();
  await page.keyboard.press('End');
  await page.keyboard.press('Shift+N');
  await eventually(() => active.textContent()).toContain('FATAL pool exhausted');
});

test('after the wheel the next error is the next one from what is in view', async () => {
  const { page } = await openConsole(world, [SOURCE], { query: RANGE });
  await log(page).focus();
  await page.keyboard.press('Home');
  await rowWith(page, 'WARN slow 0').waitFor();
  await page.keyboard.press('e');
  await rowWith(page, 'ERROR charge 3000 failed').waitFor();
  await log(page).hover();
  await page.mouse.wheel(0, 1_200);
  const firstNumber = async () => Number((await settledRows(page))[0]?.text.match(/charge (\d+)/)?.[1]);
  await eventually(firstNumber).toBeGreaterThan(3_010);
  const number = await firstNumber();
  await page.keyboard.press('e');
  const active = page.locator('.log-scroll .cur');
  await eventually(() => active.textContent()).toContain(`ERROR charge ${number} failed`);
});

test('a filtered list fills its screen, shows where it ends, and continues by scrolling', async () => {
  const { page } = await openConsole(world, ['shop:deployments/long'], {
    query: 'from=2026-11-21T10:00:00Z&to=2026-11-22T10:00:00Z&tz=utc&inc.level=error',
    height: 900,
  });
  const errors = page.locator('.log-scroll [data-level="error"]');
  // 1,000 lines when it opened, and 20,000 to fill the screen.
  await page.getByText('The page has not loaded lines after 2026-11-21 15:49:59.').waitFor();
  expect(await errors.count()).toBe(11);
  await log(page).hover();
  await page.mouse.wheel(0, 300);
  await rowWith(page, 'ERROR late 39999').waitFor();
  await log(page).focus();
  await page.keyboard.press('End');
  await rowWith(page, 'ERROR late 43999').waitFor();
});

test.each([
  ['the wheel', (page: Page) => page.mouse.wheel(0, -300)],
  ['a key', (page: Page) => page.keyboard.press('PageUp')],
  ['an arrow', (page: Page) => page.keyboard.press('ArrowUp')],
  [
    'its button',
    // The list may have gone on meanwhile, and then there is no button: the test looks again.
    (page: Page) => page.getByRole('button', { name: 'Load older lines' }).click({ timeout: 1_000 }),
  ],
])('a filtered list of the newest lines continues at its top: %s', async (_, goOn) => {
  const { page } = await openConsole(world, ['shop:deployments/long'], { query: 'tz=utc&inc.level=error' });
  await page.getByText('The page has not loaded lines before 2026-11-21 16:23:20.').waitFor();
  await rowWith(page, 'ERROR late 23999').waitFor();
  await log(page).hover();
  await log(page).focus();
  // Each go loads a part: the list may stop above the last error, below the beginning, until it is asked again.
  for (const row of [
    rowWith(page, 'ERROR late 3999'),
    rowWith(page, 'ERROR late 1999'),
    page.getByText('Beginning of logs'),
  ])
    await eventually(async () => {
      if ((await row.count()) === 0) await goOn(page).catch(() => undefined);
      return row.count();
    }).toBe(1);
});

/** Holds back requests that search for a line, like a slow cluster; returns the held and the aborted ones. */
async function holdFinds(page: Page): Promise<{ readonly held: Request[]; readonly aborted: Request[] }> {
  const finds = { held: [] as Request[], aborted: [] as Request[] };
  await page.route('**/scan', async (route) => {
    const request = route.request();
    if (!(request.postData() ?? '').includes('"hits"')) return route.continue();
    finds.held.push(request);
  });
  page.on('requestfailed', (request) => {
    if (finds.held.includes(request)) finds.aborted.push(request);
  });
  return finds;
}

test('the way to the beginning is shown while it lasts, and Escape stops it', async () => {
  const { page } = await openConsole(world, [SOURCE], { query: 'tz=utc' });
  const progress = page.getByRole('status', { name: 'Progress' });
  const result = page.getByRole('status', { name: 'Result' });
  const held: Request[] = [];
  await page.route('**/logs', (route) => {
    held.push(route.request());
  });
  await log(page).focus();
  const before = await heldLines(page);
  await page.keyboard.press('Home');
  await progress.filter({ hasText: 'Going to the beginning…' }).waitFor();
  await page.keyboard.press('Escape');
  await result
    .filter({
      hasText:
        /^Stopped on the way to the beginning; the oldest loaded line is from 2026-11-21 \d\d:\d\d:\d\d$/,
    })
    .waitFor();
  await eventually(() => progress.textContent()).toBe('');
  expect(held.length).toBeGreaterThan(0);
  expect(await heldLines(page)).toBe(before);
  await page.unroute('**/logs');
  await page.keyboard.press('Home');
  await page.getByText('Beginning of logs').waitFor();
});

test('a look into what is not loaded is shown while it lasts, and Escape stops it', async () => {
  const { page } = await openConsole(world, [SOURCE], { query: RANGE });
  const progress = page.getByRole('status', { name: 'Progress' });
  const result = page.getByRole('status', { name: 'Result' });
  await log(page).focus();
  await page.keyboard.press('Home');
  await rowWith(page, 'WARN slow 0').waitFor();
  await page.getByRole('button', { name: /^errors begin / }).waitFor();
  const finds = await holdFinds(page);
  await page.keyboard.press('e');
  await progress.filter({ hasText: 'Looking for an error' }).waitFor();
  await page.keyboard.press('e');
  await page.keyboard.press('e');
  await page.keyboard.press('Escape');
  await result
    .filter({
      hasText: /^Stopped after 0 B: no error so far; unread: 2026-11-21 10:\d\d:\d\d to 11:\d\d:\d\d$/,
    })
    .waitFor();
  await eventually(() => finds.aborted.length).toBe(1);
  expect(finds.held).toHaveLength(1);
  await eventually(() => progress.textContent()).toBe('');
  await page.unroute('**/scan');
  await page.getByRole('button', { name: 'Continue' }).click();
  await rowWith(page, 'ERROR charge 3000 failed').waitFor();
});

test('does not go to an earlier error beyond an unreadable container', async ({ onTestFinished }) => {
  world.cluster.inject({ kind: 'status', status: 403, text: 'no', match: 'pods/bare-.*/log' });
  onTestFinished(() => world.cluster.clearFaults());
  const { page } = await openConsole(world, [SOURCE, 'shop:deployments/bare'], { query: RANGE });
  const result = page.getByRole('status', { name: 'Result' });
  await rowWith(page, 'INFO').waitFor();
  await log(page).focus();
  await page.keyboard.press('End');
  await rowWith(page, 'INFO request 5999').click();
  await page.keyboard.press('Shift+E');
  await result
    .filter({
      hasText: /^Stayed here: logtool could not read bare-\S+\/app, which may have a nearer error in /,
    })
    .waitFor();
  await page.getByRole('button', { name: 'Continue without it' }).click();
  await rowWith(page, 'ERROR charge 3099 failed').waitFor();
  await result.filter({ hasText: 'The nearest error that logtool read; it could not read bare-' }).waitFor();
});
