import { expect, test } from 'vitest';
import { type EntryOnDisk, entriesOnDisk } from '../../support/oracles/node-files.ts';
import { consolePath, log, openConsole, shownTexts } from './console-page.ts';
import { eventually } from './eventually.ts';
import { openWorld } from './world.ts';

const READS = { apiGroups: [''], resources: ['pods', 'pods/log', 'nodes'], verbs: ['get', 'list', 'watch'] };

const world = openWorld({
  scenario: {
    seed: 1,
    namespace: 'shop',
    startDelays: 'none',
    backfill: '60m',
    namespaces: ['shop'],
    nodes: [{ name: 'node-a' }],
    users: [
      { name: 'reader', rules: [READS] },
      {
        name: 'node-reader',
        rules: [READS, { apiGroups: [''], resources: ['nodes/proxy'], verbs: ['get'] }],
      },
    ],
    workloads: [
      {
        kind: 'Pod',
        name: 'rotated',
        containers: [{ name: 'app', logs: [{ format: 'logfmt', perSecond: 1 }] }],
      },
      {
        kind: 'Pod',
        name: 'crashy',
        containers: [{ name: 'app', logs: [{ format: 'logfmt', perSecond: 1 }] }],
      },
      {
        kind: 'Pod',
        name: 'quiet',
        containers: [{ name: 'app', lines: [{ text: 'began {n}', repeat: 20 }] }],
      },
    ],
    timeline: [
      ...['-40m', '-30m'].map((at) => ({ at, action: 'rotate', pod: 'rotated' })),
      { at: '-30m', action: 'rotate', pod: 'quiet' },
      ...['-40m', '-30m'].map((at) => ({ at, action: 'crash', pod: 'crashy', code: 1 })),
    ],
  },
});

const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();
const ROTATED = { node: 'node-a', namespace: 'shop', pod: 'rotated', container: 'app' };
const OFFER = { name: 'Load older log files from node-a' };

test('at the beginning of a rotated log, the older files of the node are loaded when asked for', async () => {
  const { page } = await openConsole(world, ['shop:pods/rotated'], { context: 'node-reader' });
  await log(page).press('Home');
  const offer = page.getByRole('button', OFFER);
  await offer.waitFor();
  const [first = ''] = await shownTexts(page);
  await offer.click();
  // The reader stays at the line that was the first one, with lines of the rotated file above it.
  await eventually(async () => (await shownTexts(page)).indexOf(first)).toBeGreaterThan(0);
  expect(page.url()).toContain('rotated=1');
  await log(page).press('Home');
  await page.getByText('Beginning of logs', { exact: true }).waitFor();
  const [{ time: oldest = '' } = {}] = entriesOnDisk(world.cluster, ROTATED);
  await page.getByText(new RegExp(`^oldest (\\S+ )?${oldest.slice(11, 19)}`)).waitFor();
  expect(await page.getByRole('button', OFFER).count()).toBe(0);
});

test('a range before the newest file is read from the older files when asked for', async () => {
  const [from, to] = [minutesAgo(50), minutesAgo(45)];
  const { page } = await world.visit(
    consolePath(['shop:pods/rotated'], `from=${from}&to=${to}`, 'node-reader'),
  );
  await page.getByRole('button', OFFER).click();
  // Without the zone, a time with more digits is a longer text.
  const inDigits = (time: string) => time.slice(0, -1);
  const isInside = ({ time }: EntryOnDisk) =>
    inDigits(time) >= inDigits(from) && inDigits(time) < inDigits(to);
  const count = entriesOnDisk(world.cluster, ROTATED).filter(isInside).length;
  expect(count).toBeGreaterThan(100);
  const chart = page.getByRole('slider', { name: 'Time range of the lines' });
  await eventually(() => chart.getAttribute('aria-valuetext')).toContain(`: ${count} lines`);
});

test('without the permission, the page reports that it does not read the older files', async () => {
  const { page } = await openConsole(world, ['shop:pods/rotated'], { context: 'reader' });
  await log(page).press('Home');
  await page.getByRole('button', OFFER).click();
  await page
    .getByText(
      'You lack permission to get nodes/proxy of node node-a: logtool does not read the files that it rotated away',
    )
    .first()
    .waitFor();
  await log(page).press('Home');
  await page.getByText(/^Oldest lines on the node · the log of 1 container begins/).waitFor();
});

test('a log that is empty because its file was rotated is not called empty, and its older files are offered', async () => {
  const { page } = await world.visit(consolePath(['shop:pods/quiet'], 'last=2h', 'node-reader'));
  await page
    .getByText(/^logtool read the newest log file of each container\. Earlier lines may be/)
    .waitFor();
  await page.getByRole('button', OFFER).click();
  await eventually(
    async () => (await shownTexts(page)).filter((text) => text.includes('began ')).length,
  ).toBe(20);
  expect(await page.getByText(/^logtool read the newest log file/).count()).toBe(0);
});

test('a range whose run is gone names the run, and offers no older files of later runs', async () => {
  const [from, to] = [minutesAgo(50), minutesAgo(45)];
  const { page } = await world.visit(
    consolePath(['shop:pods/crashy'], `from=${from}&to=${to}`, 'node-reader'),
  );
  const empty = page.locator('[data-empty]');
  await empty.filter({ hasText: 'No lines in the readable part of this range' }).waitFor();
  await empty.filter({ hasText: '1 earlier run is gone: Kubernetes keeps one.' }).waitFor();
  expect(await empty.innerText()).not.toMatch(/only from|log file/);
  expect(await page.getByRole('button', OFFER).count()).toBe(0);
  const facets = page.getByRole('complementary').filter({ hasText: 'Counts in' });
  expect(await facets.innerText()).not.toContain('only from');
});
