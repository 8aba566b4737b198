import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { expect, test } from 'vitest';
import { log, openConsole, settledRows } from './console-page.ts';
import { eventually } from './eventually.ts';
import { openWorld } from './world.ts';

const STUCK = load(readFileSync('scenarios/happenings/rollout-stuck.yaml', 'utf8')) as object;
/** A user who may read pods and their logs, but no events. */
const READER = {
  name: 'reader',
  namespace: 'shop',
  rules: [
    { namespace: 'shop', resources: ['pods', 'pods/log'], verbs: ['get', 'list', 'watch'] },
    {
      namespace: 'shop',
      apiGroups: ['apps'],
      resources: ['deployments', 'replicasets'],
      verbs: ['get', 'list', 'watch'],
    },
  ],
};
const world = openWorld({
  scenario: {
    ...STUCK,
    users: [{ name: 'admin', rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] }, READER],
  },
});
const SOURCES = ['shop:deployments/web'];

test('a running rollout is a band to the end of the chart, and marks what its new pods write', async () => {
  const { page } = await openConsole(world, SOURCES, { query: 'last=20m' });
  const band = page.locator('.rollout-band.going-on');
  await band.waitFor();
  expect(await band.textContent()).toBe('image v41 -> v42');
  // Both are read at one time: the chart grows while it is counted.
  await eventually(() =>
    page.evaluate(() => {
      const endOf = (selector: string) =>
        document.querySelector(selector)?.getBoundingClientRect().right ?? 0;
      return Math.abs(Math.round(endOf('.rollout-band.going-on')) - Math.round(endOf('.histogram-bars')));
    }),
  ).toBeLessThanOrEqual(1);
  const marked = page.locator('.log-scroll [data-rollout="2"]');
  await marked.first().waitFor();
  expect(await marked.first().getAttribute('title')).toBe(
    'A new pod wrote this line during the rollout of revision 2',
  );
  // Old pods continue beside the new one, without marks.
  const readPods = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('.log-scroll [data-kind="line"]')].map((row) => ({
        pod: row.querySelector('.dot-cell')?.getAttribute('title')?.split('-').at(1),
        isMarked: row.dataset.rollout !== undefined,
      })),
    );
  const namesOf = async () => {
    const pods = await readPods();
    return [true, false].map((isMarked) => [
      ...new Set(pods.filter((each) => each.isMarked === isMarked).map(({ pod }) => pod)),
    ]);
  };
  // Rows that were drawn before the rollout was known are marked a frame later.
  await eventually(async () => (await namesOf()).map(({ length }) => length)).toEqual([1, 1]);
  const [ofNew, ofOld] = await namesOf();
  expect(ofNew).not.toEqual(ofOld);
});

test('an event that comes while somebody reads does not move the line being read', async () => {
  const { page } = await openConsole(world, SOURCES);
  await log(page).hover();
  await page.mouse.wheel(0, -300);
  await eventually(() => page.locator('.console').getAttribute('data-following')).toBe('false');
  const rows = await settledRows(page);
  const read = rows.find(({ kind, top }) => kind === 'line' && top > 100);
  const topNow = async () => (await settledRows(page)).find(({ entry }) => entry === read?.entry)?.top;
  const before = await topNow();
  await world.cluster.control.crashContainer({ workload: 'deployments/web' });
  const value = page.getByRole('region', { name: 'Events' }).locator('[data-value="Restarted"]');
  await value.waitFor();
  expect(await topNow()).toBe(before);
  // The end of a run and the next start share one row.
  await page.keyboard.press('End');
  const exit = page.locator('[data-fact="exited"]').filter({ hasText: '· restarted' });
  await exit.first().waitFor();
  expect(await exit.first().textContent()).toMatch(/exited \d+ \w+ after .+ · restarted .+ later, 1st time$/);
  expect(await page.locator('[data-marker="restarted"], [data-marker="finished"]').count()).toBe(0);
});

test('reports a missing permission once, with verb and resource, and shows the rest', async () => {
  const { page } = await openConsole(world, SOURCES, { query: 'events=all', context: 'reader' });
  const group = page.getByRole('region', { name: 'Events' });
  const extent = group.locator('.event-extent');
  const denied = extent.filter({ hasText: /list events.* in namespace "?shop/ });
  await denied.first().waitFor();
  expect(await denied.count()).toBe(1);
  const texts = await extent.allTextContents();
  expect(texts).toEqual([...new Set(texts)]);
  await page.locator('.log-scroll [data-kind="fact"], [data-facet="event"]').first().waitFor();
  await log(page).focus();
  await eventually(async () => {
    await page.keyboard.press('x');
    return page.getByRole('status', { name: 'Result' }).textContent();
  }).toMatch(/^No event found(?!.* so far).*; /);
});
