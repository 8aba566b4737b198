import { expect, test } from 'vitest';
import { consolePath, heldLines, lastText, openConsole, retryNow, shownRows } from './console-page.ts';
import { eventually } from './eventually.ts';
import { TALK, WEB } from './talk-scenario.ts';
import { openWorld } from './world.ts';

const world = openWorld({ scenario: TALK });
const DB = 'shop:statefulsets/db';
const write = (text: string) =>
  world.cluster.control.writeLines({ workload: 'deployments/web', text: [text] });

test('logs opened while the cluster is away come when it is back, and no cut is reported', async () => {
  await world.cluster.control.killServer();
  try {
    const { page } = await world.visit(consolePath([WEB, DB]));
    await page.getByRole('heading', { name: /^Cannot reach the cluster/ }).waitFor();
    await page
      .getByRole('status', { name: 'Connection' })
      .getByText(/^Reconnecting/)
      .waitFor();
    await world.cluster.startServer();
    await retryNow(page);
    await eventually(() => heldLines(page)).toBe(340);
    await write('said after it came back');
    await eventually(() => lastText(page)).toBe('said after it came back');
    expect((await shownRows(page)).filter(({ text }) => /lost/.test(text))).toEqual([]);
  } finally {
    await world.cluster.startServer();
  }
});

test('a cluster that goes away while its logs are followed is one notice, with Retry now', async () => {
  const { page } = await openConsole(world, [WEB, DB]);
  await eventually(() => heldLines(page)).toBeGreaterThanOrEqual(340);
  const before = await heldLines(page);
  await world.cluster.control.killServer();
  try {
    const problems = page.getByRole('region', { name: 'Problems' });
    await problems.getByText(/cluster at https.* lines resume when it responds/).waitFor();
    await problems.getByRole('button', { name: 'Retry now' }).click();
    await page
      .getByRole('status', { name: 'Connection' })
      .getByText(/^Reconnecting/)
      .waitFor();
    await problems.getByText(/^Cannot reach the cluster/).waitFor();
    expect(await problems.locator('.problem').count()).toBe(1);
    const reported = (await shownRows(page)).filter(({ text }) => /lost contact/i.test(text));
    expect(reported.length).toBeLessThanOrEqual(1);
    await world.cluster.startServer();
    await write('said after the outage');
    await eventually(() => lastText(page)).toBe('said after the outage');
    await problems.waitFor({ state: 'detached' });
    await eventually(() => heldLines(page)).toBe(before + 1);
    await page.getByText(/^lost contact with the cluster for [\d.]+ s, resumed where it left off$/).waitFor();
  } finally {
    await world.cluster.startServer();
  }
});

/** Without the dates, which the page adds to times of the day before. */
const undated = (text: string | null) => text?.replaceAll(/\d{4}-\d\d-\d\d /g, '');

test('a count that an outage broke off is repeated when the cluster is back', async () => {
  const { page } = await openConsole(world, [WEB, DB], { query: 'last=1h&tz=utc' });
  const hits = page.getByRole('status', { name: 'Search' });
  await page.keyboard.press('/');
  await page.keyboard.type('line');
  await eventually(() => hits.textContent()).toMatch(/^[1-9]\d* hits in (\S+ )?\S+ to now$/);
  const counted = undated(await hits.textContent());
  const scope = page.locator('.facet-scope').first();
  const chart = page.getByRole('region', { name: 'Lines over time' });
  await world.cluster.control.killServer();
  try {
    await page.getByText(/lines resume when it responds/).waitFor();
    await eventually(() => scope.textContent()).toMatch(
      /^Counts in (\S+ )?\S+ to (\S+ )?\S+ of (\S+ )?\S+ to now$/,
    );
    await chart
      .getByRole('slider')
      .and(page.getByTitle(/: not all read; at least/))
      .waitFor();
    expect(await chart.textContent()).not.toContain('/s now');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('zzzzq');
    await eventually(() => hits.textContent()).toMatch(
      /^0 hits in the [\d,]+ loaded lines? of (\S+ )?\S+ to now$/,
    );
  } finally {
    await world.cluster.startServer();
  }
  await eventually(() => hits.textContent()).toMatch(/^0 hits in (\S+ )?\S+ to now$/);
  await eventually(() => scope.textContent()).toMatch(/^Counts in (\S+ )?\S+ to now$/);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('line');
  await eventually(async () => undated(await hits.textContent())).toBe(counted);
});
