import { expect, test } from 'vitest';
import { consolePath, log, openConsole } from './console-page.ts';
import { eventually } from './eventually.ts';
import { openWorld } from './world.ts';

const world = openWorld({
  scenario: {
    seed: 1,
    namespace: 'shop',
    startDelays: 'none',
    backfill: '60m',
    namespaces: ['shop'],
    nodes: [{ name: 'a' }],
    users: [{ name: 'somebody' }],
    workloads: [
      {
        kind: 'Pod',
        name: 'rotated',
        containers: [{ name: 'app', logs: [{ format: 'logfmt', perSecond: 1 }] }],
      },
    ],
    timeline: [{ at: '-30m', action: 'rotate', pod: 'rotated' }],
  },
});

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

test('a range before the log of a rotated container is not called empty', async () => {
  const range = `from=${minutesAgo(50)}&to=${minutesAgo(40)}`;
  const { page } = await world.visit(consolePath(['shop:pods/rotated'], range));
  await page.getByText('No lines in the readable part of this range').waitFor();
  const counts = page.locator('.facet-scope');
  await eventually(() => counts.textContent()).toMatch(
    /the log of 1 container only from \d\d:\d\d:\d\d on: the node may have removed earlier lines$/,
  );
  const chart = page.getByRole('slider', { name: 'Time range of the lines' });
  await eventually(() => chart.getAttribute('aria-valuetext')).toMatch(/; earlier lines may be gone$/);
});

test('the first line of a rotated log is not called the beginning of the logs without doubt', async () => {
  const { page } = await openConsole(world, ['shop:pods/rotated']);
  await log(page).press('Home');
  await page
    .getByText(
      'Oldest lines on the node · the log of 1 container begins more than 10 min after the container started: earlier lines may be gone',
    )
    .waitFor();
  expect(await page.getByText(/^Beginning of logs/).count()).toBe(0);
});

test('on a phone, the text of what the number of hits lacks is whole', async () => {
  const { page } = await openConsole(world, ['shop:pods/rotated'], {
    query: 'last=50m&q=level',
    width: 390,
    height: 844,
  });
  const hits = page.getByRole('status', { name: 'Search' });
  await eventually(() => hits.textContent()).toMatch(/the node may have removed earlier lines$/);
  const hidden = await hits.evaluate((element) => {
    const { left, right } = element.getBoundingClientRect();
    return Math.max(-left, right - innerWidth, element.scrollWidth - element.clientWidth);
  });
  expect(hidden).toBeLessThanOrEqual(0);
  const scope = await hits.locator('.hits-scope').last().boundingBox();
  const bar = await page.locator('.search-bar').boundingBox();
  expect((scope?.y ?? 0) + (scope?.height ?? 0)).toBeLessThanOrEqual((bar?.y ?? 0) + (bar?.height ?? 0));
});
