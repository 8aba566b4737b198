import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { entriesOnDisk } from '../../support/oracles/node-files.ts';
import { log, openConsole, shownRows } from './console-page.ts';
import { eventually } from './eventually.ts';
import { openWorld } from './world.ts';

const logs = (perSecond: number) => [{ format: 'logfmt', perSecond }];

const world = openWorld({
  scenario: {
    seed: 1,
    namespace: 'shop',
    startDelays: 'none',
    backfill: '60m',
    namespaces: ['shop'],
    nodes: [{ name: 'node-a' }],
    workloads: [
      { kind: 'Pod', name: 'crashy', containers: [{ name: 'app', logs: logs(2) }] },
      { kind: 'Pod', name: 'calm', containers: [{ name: 'app', logs: logs(5) }] },
    ],
    timeline: ['-40m', '-30m'].map((at) => ({ at, action: 'crash', pod: 'crashy', code: 1 })),
  },
});

const SOURCES = ['shop:pods/crashy', 'shop:pods/calm'];
const RAW = { query: 'raw=1' };
const runs = (page: Page) => page.getByRole('region', { name: 'Runs' });
const shownLines = async (page: Page) =>
  (await shownRows(page)).filter(({ kind }) => kind === 'line').map(({ text }) => text);

/** What a run of the pod has written, the oldest first. */
function writtenBy(run: number): readonly string[] {
  const isWanted = (name: string) => name === `${run - 1}.log`;
  const pod = { node: 'node-a', namespace: 'shop', pod: 'crashy', container: 'app' };
  return entriesOnDisk(world.cluster, { ...pod, isWanted }).map(({ message }) => message);
}

test('the run before a crash is on offer before a line of it is loaded, and choosing it loads its last lines', async () => {
  const { page } = await openConsole(world, SOURCES, RAW);
  const names = () => runs(page).locator('.facet-name').allTextContents();
  await eventually(names).toEqual(['crashy/app run 3 (now)', 'crashy/app run 2']);
  await runs(page)
    .getByRole('button', { name: /^crashy\/app run 2/ })
    .click();
  const written = writtenBy(2);
  expect(written.length).toBeGreaterThan(1_000);
  await eventually(async () => (await shownLines(page)).at(-1)).toBe(written.at(-1));
  // The address has the run, not its lines.
  await page.reload();
  await eventually(async () => (await shownLines(page)).at(-1)).toBe(written.at(-1));
  // Lines that load above the reader leave the reader's row where it is.
  await eventually(async () => {
    await log(page).press('Home');
    return (await shownLines(page))[0];
  }).toBe(written[0]);
  await runs(page)
    .getByRole('button', { name: `crashy/app run 2 ${written.length.toLocaleString('en')} lines` })
    .waitFor();
});

test('the page claims nothing about a run whose log the cluster refuses', async () => {
  const fault = { kind: 'status', status: 403, match: 'pods/crashy/log.*previous' } as const;
  world.cluster.inject(fault);
  const { page } = await openConsole(world, SOURCES, RAW);
  await runs(page)
    .getByRole('button', { name: /^crashy\/app run 2/ })
    .click();
  const empty = page.locator('[data-empty]');
  await empty.filter({ hasText: 'logtool could not search the rest of the logs.' }).waitFor();
  expect(await empty.getByRole('heading').textContent()).toBe('No loaded line matches the filters');
  world.cluster.clearFaults();
  await page.getByRole('button', { name: 'Search all logs' }).click();
  await eventually(async () => (await shownLines(page)).at(-1)).toBe(writtenBy(2).at(-1));
});
