import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import { FakeServer } from '../../../../../../test/support/ui/worker/fake-server.ts';
import { SessionDriver } from '../../../../../../test/support/ui/worker/session-driver.ts';
import type { LogFrame } from '../../../contract/log-frame.ts';

const START = 1_800_000_000;
const RANGE = {
  from: { kind: 'inclusive', at: '2027-01-15T08:00:00Z' },
  to: { kind: 'inclusive', at: '2027-01-15T10:00:00Z' },
  opensAt: 'end',
  follow: false,
} as const;

function serverOf(count: number, errors: readonly number[]): FakeServer {
  const server = new FakeServer();
  for (let index = 0; index < count; index++)
    server.lines.push({
      seconds: START + index,
      nanos: 0,
      container: index % 2 === 0 ? 'web/a' : 'web/b',
      text: errors.includes(index) ? `ERROR at ${index}` : `INFO at ${index}`,
    });
  return server;
}

/** A range with only its first and last thousand lines held. */
async function withGap(errors: readonly number[]): Promise<SessionDriver> {
  const driver = new SessionDriver(undefined, serverOf(6_000, errors));
  await driver.open(RANGE);
  await driver.jump({ at: 'start' });
  expect(driver.texts()).toHaveLength(2_001);
  return driver;
}

const errorFrom = async (driver: SessionDriver, at: 'start' | 'end', direction: 'next' | 'previous') => {
  const from = driver.rows().at(at === 'start' ? 0 : -1)?.entry;
  const found = await driver.find({ from, direction, what: 'error' });
  const row = driver.rows().find(({ entry }) => entry === found.entry);
  return { ...found, text: row?.kind === 'line' ? row.text : undefined };
};

test('the next error is the next one of the log, not of what is loaded', async () => {
  const driver = await withGap([3_000, 3_001, 5_500]);
  expect(await errorFrom(driver, 'start', 'next')).toMatchObject({ text: 'ERROR at 3000', isExact: true });
});

test.each(['next', 'previous'] as const)(
  'a search for the %s error waits until the view is open',
  async (direction) => {
    const driver = new SessionDriver(undefined, serverOf(6_000, [2_500]));
    let end = () => {};
    driver.server.ending = new Promise((resolve) => {
      end = resolve;
    });
    await driver.open(direction === 'next' ? { ...RANGE, opensAt: undefined } : RANGE);
    expect(driver.texts()).toHaveLength(1_000);
    const found = errorFrom(driver, direction === 'next' ? 'start' : 'end', direction);
    await driver.settle();
    expect(driver.sent.filter(({ type }) => type === 'found')).toEqual([]);
    end();
    expect(await found).toMatchObject({ text: 'ERROR at 2500', isExact: true });
  },
);

test('so is the one before', async () => {
  const driver = await withGap([500, 3_000, 3_001]);
  expect(await errorFrom(driver, 'end', 'previous')).toMatchObject({ text: 'ERROR at 3001', isExact: true });
});

test('a place that has none is passed, once it was read', async () => {
  const driver = await withGap([5_500]);
  expect(await errorFrom(driver, 'start', 'next')).toMatchObject({ text: 'ERROR at 5500', isExact: true });
  expect(driver.texts()).toHaveLength(2_001);
});

test('does not skip an unread time', async () => {
  const driver = await withGap([5_500]);
  driver.server.scanLimit = 100;
  expect(await errorFrom(driver, 'start', 'next')).toMatchObject({ entry: undefined, isExact: false });
});

test('what facets hide is not found in a place that is not loaded either', async () => {
  const driver = await withGap([3_000, 3_001, 5_501]);
  await driver.send({
    type: 'facets',
    filter: { include: {}, exclude: { container: ['web/a'] }, fields: [] },
  });
  expect(await errorFrom(driver, 'start', 'next')).toMatchObject({ text: 'ERROR at 3001' });
});

test('the newest line that passes the filters is loaded, wherever it is', async () => {
  const driver = await withGap([3_000, 3_100]);
  await driver.send({ type: 'facets', filter: { include: { level: ['error'] }, exclude: {}, fields: [] } });
  expect(driver.texts().filter((text) => text.includes('at'))).toEqual([]);
  const found = await driver.showMatch();
  expect(driver.texts()).toContain('ERROR at 3100');
  expect(driver.rows().find(({ entry }) => entry === found.entry)).toMatchObject({ text: 'ERROR at 3100' });
});

test('does not take an earlier one while a nearer one may be in an unread container', async () => {
  const driver = await withGap([1_100, 1_200, 4_900]);
  driver.server.scanLimit = 100;
  const found = await errorFrom(driver, 'end', 'previous');
  expect(found).toMatchObject({ entry: undefined, isExact: false, unread: { containers: [] } });
  expect(found.searchedBackTo).toBeUndefined();
});

test('what reading at its limit did not come to is read when the same is looked for again', async () => {
  const driver = await withGap([1_100, 3_000]);
  driver.server.scanLimit = 1_000;
  const from = driver.rows().at(-1)?.entry;
  const question = { from, direction: 'previous', what: 'error' } as const;
  let found = await driver.find(question);
  for (let step = 0; step < 20 && found.unread !== undefined; step++)
    found = await driver.find({ ...question, goOn: true });
  const row = driver.rows().find(({ entry }) => entry === found.entry);
  expect(row).toMatchObject({ text: 'ERROR at 3000' });
});

test('the next search continues where reading stopped', async () => {
  const driver = await withGap([4_500]);
  driver.server.scanLimit = 1_000;
  const from = driver.rows()[0]?.entry;
  const question = { from, direction: 'next', what: 'error' } as const;
  const first = await driver.find(question);
  expect(first).toMatchObject({
    entry: undefined,
    unread: { containers: [], fromMs: (START + 1_998) * 1000 },
  });
  let found = first;
  for (let step = 0; step < 20 && found.unread !== undefined; step++) found = await driver.find(question);
  const row = driver.rows().find(({ entry }) => entry === found.entry);
  expect(row).toMatchObject({ text: 'ERROR at 4500' });
});

test.each(['next', 'previous'] as const)(
  'goes past an unreadable container to the %s one only without it',
  async (direction) => {
    const driver = await withGap([3_000]);
    driver.server.unscannable.add('web/b');
    const from = driver.rows().at(direction === 'next' ? 0 : -1)?.entry;
    const question = { from, direction, what: 'error' } as const;
    expect(await driver.find(question)).toMatchObject({
      entry: undefined,
      isExact: false,
      unread: { containers: ['web/b/app'] },
    });
    const found = await driver.find({ ...question, goOn: true });
    const row = driver.rows().find(({ entry }) => entry === found.entry);
    expect(row).toMatchObject({ text: 'ERROR at 3000' });
    expect(found).toMatchObject({ lacking: ['web/b/app'] });
  },
);

test('does not show the newest line while a newer one may be in an unread container', async () => {
  const driver = await withGap([3_000, 3_100]);
  await driver.send({ type: 'facets', filter: { include: { level: ['error'] }, exclude: {}, fields: [] } });
  driver.server.unscannable.add('web/b');
  expect(await driver.showMatch()).toMatchObject({ entry: undefined, unread: { containers: ['web/b/app'] } });
  expect(driver.texts()).not.toContain('ERROR at 3100');
  expect((await driver.showMatch(true)).lacking).toEqual(['web/b/app']);
  expect(driver.texts()).toContain('ERROR at 3100');
});

test('a container that facets hide is neither read nor missed', async () => {
  const driver = await withGap([3_000]);
  await driver.send({
    type: 'facets',
    filter: { include: {}, exclude: { container: ['web/b'] }, fields: [] },
  });
  driver.server.unscannable.add('web/b');
  expect(await errorFrom(driver, 'end', 'previous')).toMatchObject({ text: 'ERROR at 3000', isExact: true });
});

test('a look that is stopped says what was read, and ends its request', async () => {
  const driver = await withGap([]);
  driver.server.holdsScans = true;
  const from = driver.rows()[0]?.entry;
  const finding = driver.find({ from, direction: 'next', what: 'error' });
  await driver.settle();
  expect(driver.last('status').status.finding).toMatchObject({ what: 'error', containers: 2 });
  await driver.send({ type: 'stop-find' });
  expect(await finding).toMatchObject({ entry: undefined, isStopped: true, isExact: false, unread: {} });
  expect((await finding).bytes).toBeGreaterThan(0);
  await driver.settle();
  expect(driver.last('status').status.finding).toBeUndefined();
});

test('another question takes the place of the one that lasts', async () => {
  const driver = await withGap([]);
  driver.server.holdsScans = true;
  const from = driver.rows()[0]?.entry;
  const first = driver.find({ from, direction: 'next', what: 'error' });
  await driver.settle();
  driver.server.holdsScans = false;
  const second = driver.find({ from, direction: 'next', what: 'warn' });
  expect(await first).toMatchObject({ isReplaced: true });
  expect(await second).toMatchObject({ entry: undefined, isExact: true });
});

test('a row about a container, which is stamped with the time of the page, hides no place that is not loaded', async () => {
  const server = new FakeServer();
  for (let index = 0; index < 6_000; index++)
    server.lines.push({
      seconds: 1_700_000_000 + index,
      nanos: 0,
      container: 'web/a',
      text: index === 500 || index === 3_000 ? `ERROR at ${index}` : `INFO at ${index}`,
    });
  server.failsFirst = true;
  server.failing.set('web/b', { code: 'server-unreachable', data: { cause: 'no' } });
  const driver = new SessionDriver(undefined, server);
  const range = {
    from: { kind: 'inclusive', at: '2023-11-14T22:13:20Z' },
    to: { kind: 'inclusive', at: '2023-11-15T10:00:00Z' },
    follow: false,
  } as const;
  await driver.open(range);
  await driver.jump({ at: 'end' });
  expect(driver.rows().some(({ kind }) => kind === 'marker')).toBe(true);
  expect(await errorFrom(driver, 'end', 'previous')).toMatchObject({ text: 'ERROR at 3000' });
});

test('what was read up to a found hit counts as searched, until the search or the filters change', async () => {
  const driver = new SessionDriver(undefined, serverOf(6_000, [2_000]));
  await driver.open({ follow: false });
  const search = async (text: string) => {
    const plan = { text, matchCase: false, wholeWord: false, regex: false, only: false };
    await driver.send({ type: 'search', plan });
    await driver.settle();
    return driver.last('status').status.search.searchedBackTo;
  };
  expect(await search('error')).toBe(START + 5_000);
  const found = await driver.find({ from: undefined, direction: 'previous', what: 'hit' });
  await driver.settle();
  expect(found).toMatchObject({ isExact: true, entry: expect.any(Number) });
  // The lines around the hit are loaded, and no line between them and the newest ones is a hit.
  const { status } = driver.last('status');
  expect(status.search).toMatchObject({ hits: 1, searchedBackTo: status.oldestSeconds });
  expect(status.oldestSeconds).toBeLessThan(START + 2_000);
  await driver.send({ type: 'facets', filter: { include: {}, exclude: { level: ['debug'] }, fields: [] } });
  await driver.settle();
  // Now only the loaded lines are known to be searched, and one of them is a hit.
  expect(driver.last('status').status.search).toMatchObject({ hits: 1, searchedBackTo: undefined });
  await driver.find({ from: undefined, direction: 'previous', what: 'hit' });
  expect(await search('nowhere')).toBe(START + 5_000);
});

test('what lies between the row of a gap above the first loaded line and that line does not count as searched', async () => {
  const server = serverOf(6_000, [2_000]);
  const gap = { type: 'gap', q: 0, source: 0, cause: { code: 'rotated', data: {} } } as const;
  server.reporting = [{ ...gap, to: formatTimestamp({ seconds: START + 60, nanos: 0 }) }];
  const driver = new SessionDriver(undefined, server);
  await driver.open({ follow: false });
  const plan = { text: 'error', matchCase: false, wholeWord: false, regex: false, only: false };
  await driver.send({ type: 'search', plan });
  await driver.settle();
  const { status } = driver.last('status');
  expect(driver.rows({ at: 'start' }, 1)[0]).toMatchObject({ kind: 'marker', seconds: START + 60 });
  expect(status.search).toMatchObject({ hits: 0, searchedBackTo: START + 5_000 });
});

const at = (seconds: number) => formatTimestamp({ seconds: START + seconds, nanos: 0 });

/** Opens a log of 60 lines with an error in the twentieth, and returns the state of a search for it. */
async function searchAround(gap: Pick<Extract<LogFrame, { type: 'gap' }>, 'cause' | 'from' | 'to'>) {
  const server = serverOf(60, [20]);
  server.reporting = [{ type: 'gap', q: 0, source: 0, ...gap }];
  const driver = new SessionDriver(undefined, server);
  await driver.open({ follow: false });
  const plan = { text: 'error', matchCase: false, wholeWord: false, regex: false, only: false };
  await driver.send({ type: 'search', plan });
  await driver.settle();
  const { hits, searchedBackTo } = driver.last('status').status.search;
  return { hits, searchedBackTo };
}

test('hits before the late beginning of a container count, as hits in the loaded lines', async () => {
  const cause = { code: 'begins-late', data: { beginsAt: at(40), afterSeconds: 2_700 } } as const;
  const search = await searchAround({ cause, to: at(40) });
  expect(search).toEqual({ hits: 1, searchedBackTo: undefined });
});

test('hits before a gap among the loaded lines count, as hits in the loaded lines', async () => {
  const cause = { code: 'rotated', data: {} } as const;
  const search = await searchAround({ cause, from: at(30), to: at(40) });
  expect(search).toMatchObject({ hits: 1, searchedBackTo: undefined });
});

test('what was read counts as searched only if every container was', async () => {
  const driver = new SessionDriver(undefined, serverOf(6_000, [2_000]));
  await driver.open({ follow: false });
  const plan = { text: 'error', matchCase: false, wholeWord: false, regex: false, only: false };
  await driver.send({ type: 'search', plan });
  driver.server.unscannable.add('web/b');
  const question = { from: undefined, direction: 'previous', what: 'hit' } as const;
  expect(await driver.find(question)).toMatchObject({ entry: undefined });
  await driver.find({ ...question, goOn: true });
  await driver.settle();
  expect(driver.last('status').status.search).toMatchObject({ hits: 1, searchedBackTo: undefined });
});

test('what is found or not says how many sources failed as a whole', async () => {
  const server = serverOf(6_000, [2_000]);
  const error = { code: 'forbidden', data: { verb: 'list', resource: 'pods', namespace: 'vault' } } as never;
  server.reporting = [{ type: 'notice', q: 0, code: 'source-failed', error }];
  const driver = new SessionDriver(undefined, server);
  await driver.open(RANGE);
  const question = { from: undefined, direction: 'previous' } as const;
  expect(await driver.find({ ...question, what: 'error' })).toMatchObject({
    entry: expect.any(Number),
    lackingSources: 1,
    isExact: false,
  });
  expect(await driver.find({ ...question, what: 'warn' })).toMatchObject({
    entry: undefined,
    lackingSources: 1,
    isExact: false,
  });
});
