import { expect, test } from 'vitest';
import { FakeServer } from '../../../../../../test/support/ui/worker/fake-server.ts';
import { SessionDriver } from '../../../../../../test/support/ui/worker/session-driver.ts';

const START = 1_800_000_000;
const RANGE = {
  from: { kind: 'inclusive', at: '2027-01-15T08:00:00Z' },
  to: { kind: 'inclusive', at: '2027-01-15T10:00:00Z' },
  follow: false,
} as const;
const NEEDLE = { text: 'needle', matchCase: false, wholeWord: false, regex: false, only: false };

/** Opens a range of 6,000 lines, of which those at these indexes are hits; holds the first or last thousand lines. */
async function open(hits: readonly number[], opensAt?: 'end'): Promise<SessionDriver> {
  const server = new FakeServer();
  for (let index = 0; index < 6_000; index++)
    server.lines.push({
      seconds: START + index,
      nanos: 0,
      container: index % 2 === 0 ? 'web/a' : 'web/b',
      text: hits.includes(index) ? `needle ${index}` : `line ${index}`,
    });
  const driver = new SessionDriver(undefined, server);
  await driver.open({ ...RANGE, opensAt });
  expect(driver.texts()).toHaveLength(1_000);
  return driver;
}

/** Goes to the next hit from a row, or from an end of the held lines; returns its text, and what the status says of it. */
async function find(driver: SessionDriver, from: 'start' | 'end' | number, direction: 'next' | 'previous') {
  const rows = driver.rows();
  const start = typeof from === 'number' ? from : rows.at(from === 'start' ? 0 : -1)?.entry;
  const { entry } = await driver.find({ from: start, direction, what: 'hit' });
  await driver.settle();
  const row = driver.rows().find((each) => each.entry === entry);
  return { entry, text: row?.kind === 'line' ? row.text : undefined, ...ordinalOf(driver) };
}

function ordinalOf(driver: SessionDriver) {
  const { search, scan } = driver.last('status').status;
  return { ordinal: search.ordinal, hits: scan?.hits };
}

test('a hit has its number among all hits of the range, from the end that is held', async () => {
  const driver = await open([100, 3_000, 5_200, 5_900], 'end');
  await driver.send({ type: 'search', plan: NEEDLE });
  const last = await find(driver, 'end', 'previous');
  expect(last).toMatchObject({ text: 'needle 5900', hits: 4, ordinal: { entry: last.entry, value: 4 } });
  const before = await find(driver, last.entry!, 'previous');
  expect(before).toMatchObject({ text: 'needle 5200', hits: 4, ordinal: { entry: before.entry, value: 3 } });
});

test('so it has from the beginning', async () => {
  const driver = await open([100, 3_000, 5_200, 5_900]);
  await driver.send({ type: 'search', plan: NEEDLE });
  const first = await find(driver, 'start', 'next');
  expect(first).toMatchObject({ text: 'needle 100', hits: 4, ordinal: { entry: first.entry, value: 1 } });
});

test('it keeps its number while earlier lines are loaded', async () => {
  const driver = await open([4_800, 5_200], 'end');
  await driver.send({ type: 'search', plan: NEEDLE });
  const { entry } = await find(driver, 'end', 'previous');
  for (let page = 0; page < 3; page++) await driver.send({ type: 'load', what: 'older' });
  expect(driver.texts()).toContain('needle 4800');
  expect(ordinalOf(driver)).toEqual({ hits: 2, ordinal: { entry, value: 2 } });
});

test('a hit between ranges that are not loaded has no number', async () => {
  const driver = await open([100, 3_000, 5_200, 5_900], 'end');
  await driver.send({ type: 'search', plan: NEEDLE });
  const last = await find(driver, 'end', 'previous');
  await driver.jump({ at: 'start' });
  const first = await find(driver, 'start', 'next');
  const between = await find(driver, first.entry!, 'next');
  expect(between).toMatchObject({ text: 'needle 3000', ordinal: undefined });
  expect(last.ordinal?.value).toBe(4);
});

test('no hit has a number while only a part of the range is counted', async () => {
  const driver = await open([100, 3_000, 5_900], 'end');
  driver.server.scanLimit = 100;
  await driver.send({ type: 'search', plan: NEEDLE });
  const last = await find(driver, 'end', 'previous');
  expect(last).toMatchObject({ text: 'needle 5900', ordinal: undefined });
});

test('a line that the next search does not match has no number in it', async () => {
  const driver = await open([5_200, 5_900], 'end');
  await driver.send({ type: 'search', plan: NEEDLE });
  expect((await find(driver, 'end', 'previous')).ordinal?.value).toBe(2);
  await driver.send({ type: 'search', plan: { ...NEEDLE, text: '5200' } });
  for (let turn = 0; turn < 5; turn++) await driver.settle();
  expect(ordinalOf(driver)).toEqual({ hits: 1, ordinal: undefined });
});

test('without a count of the range, a hit has its number among the searched ones', async () => {
  const server = new FakeServer();
  for (let index = 0; index < 1_500; index++)
    server.lines.push({
      seconds: START + index,
      nanos: 0,
      container: 'web/a',
      text: [600, 700, 1_400].includes(index) ? `needle ${index}` : `line ${index}`,
    });
  const driver = new SessionDriver(undefined, server);
  server.unscannable.add('web/a');
  await driver.open({ follow: true });
  await driver.send({ type: 'search', plan: NEEDLE });
  const last = await find(driver, 'end', 'previous');
  expect(last).toMatchObject({ text: 'needle 1400', hits: undefined, ordinal: { value: 3 } });
  expect(driver.last('status').status.search.hits).toBe(3);
});
