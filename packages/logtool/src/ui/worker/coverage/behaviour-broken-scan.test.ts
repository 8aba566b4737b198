import { expect, test } from 'vitest';
import { type FakeLine, sourceOf } from '../../../../../../test/support/ui/worker/fake-line.ts';
import { FakeServer } from '../../../../../../test/support/ui/worker/fake-server.ts';
import { SessionDriver } from '../../../../../../test/support/ui/worker/session-driver.ts';
import { ApiError } from '../../../contract/client.ts';
import { makeZoneClock } from '../../console/state/zone-time.ts';
import { stretchText } from '../../histogram/bars.ts';
import { restText, scopeText } from '../../messages/coverage.ts';
import type { Histogram } from '../protocol/protocol.ts';

/* Counts that broke off because the cluster, the page's server or a container did not answer. */

const START = 1_800_000_000;
const RANGE = {
  from: { kind: 'inclusive', at: '2027-01-15T08:00:00Z' },
  to: { kind: 'inclusive', at: '2027-01-15T09:00:00Z' },
  opensAt: 'end',
  follow: false,
} as const;
const SEARCH = { text: 'ERROR', only: false, matchCase: false, wholeWord: false, regex: false };

async function openRange(): Promise<{ driver: SessionDriver; server: FakeServer }> {
  const server = new FakeServer();
  for (let index = 0; index < 3_600; index++) {
    const text = index < 1_800 && index % 100 === 0 ? `ERROR at ${index}` : `INFO at ${index}`;
    const line: FakeLine = { seconds: START + index, nanos: 0, container: `web/${'ab'[index % 2]}`, text };
    server.lines.push(line);
  }
  const driver = new SessionDriver(undefined, server);
  await driver.open(RANGE);
  await pass(driver, 1_600);
  expect(scanOf(driver)).toMatchObject({ state: 'done', lines: 3_600 });
  return { driver, server };
}

const UTC = makeZoneClock('utc');
const AWAY = new ApiError(0, { code: 'unreachable', data: { cause: 'away' } });

/** The chart in bars of one minute. */
function chartOf(driver: SessionDriver): Histogram {
  const answer = driver.ask({ type: 'histogram', buckets: 61 }, 'histogram');
  if (answer === undefined) throw new Error('no chart came');
  return answer.histogram;
}

async function pass(driver: SessionDriver, ms: number): Promise<void> {
  const untilMs = driver.clock.steady() + ms;
  while (driver.clock.steady() < untilMs) await driver.settle();
}

const scanOf = (driver: SessionDriver) => driver.last('status').status.scan;

test.each(['unreachable', 'connection-lost', 'server-unreachable'])(
  'a count that broke off with %j is repeated until there is an answer, once at a time',
  async (code) => {
    const { driver, server } = await openRange();
    const before = server.scans.length;
    server.refuse = new ApiError(0, { code, data: { cause: 'away' } });
    await driver.send({ type: 'search', plan: SEARCH });
    await pass(driver, 60_000);
    // The waits grow to 5 s.
    const tries = server.scans.length - before;
    expect(tries).toBeGreaterThan(10);
    expect(tries).toBeLessThan(18);
    expect(scanOf(driver)).toMatchObject({
      state: 'failed',
      away: code === 'server-unreachable' ? 'server' : 'cluster',
    });

    server.refuse = undefined;
    await driver.send({ type: 'read-rest' });
    await pass(driver, 6_000);
    expect(scanOf(driver)).toMatchObject({
      state: 'done',
      lines: 3_600,
      hits: 18,
      error: undefined,
      away: undefined,
    });
    expect(server.scans.length - before).toBe(tries + 1);
  },
);

test.each([
  [
    'no request succeeds',
    (server: FakeServer) => {
      server.refuse = AWAY;
    },
  ],
  [
    'no container can be read',
    (server: FakeServer) => {
      for (const id of ['web/a', 'web/b']) server.unscannable.add(id);
    },
  ],
])('a count that fails at once leaves the counts of what is loaded, and says so: %s', async (_, fail) => {
  const { driver, server } = await openRange();
  fail(server);
  await driver.send({ type: 'search', plan: { ...SEARCH, text: '34' } });
  await pass(driver, 1_000);
  const { scan, search, lines } = driver.last('status').status;
  expect(lines).toBe(1_000);
  expect(search.hits).toBe(server.lines.slice(2_600).filter(({ text }) => text.includes('34')).length);
  // The hits are those of the loaded lines, as without a count.
  expect(scan).toMatchObject({ loadedLines: 1_000, hits: undefined, readToMs: undefined });
  expect(scan && scopeText(scan, UTC, START * 1_000)).toBe(
    'in the 1,000 loaded lines of 08:00:00 to 09:00:00',
  );
  const { facets } = driver.last('facets');
  expect(facets.level).toMatchObject({ info: 1_000 });
  expect(facets.container).toEqual({ 'web/a': 500, 'web/b': 500 });
  const chart = chartOf(driver);
  expect(stretchText(chart, { first: 0, last: 60 }, UTC, START * 1_000)).toBe(
    '08:00:00 to 09:00:59: not all read; at least 1,000 lines, 0 errors, 0 warnings',
  );
  expect(stretchText(chart, { first: 50, last: 60 }, UTC, START * 1_000)).toBe(
    '08:50:00 to 09:00:59: 600 lines, 0 errors, 0 warnings',
  );

  await driver.send({ type: 'search', plan: { ...SEARCH, text: '' } });
  await pass(driver, 1_000);
  expect(driver.last('facets').facets.level).toMatchObject({ info: 1_000 });

  server.refuse = undefined;
  server.unscannable.clear();
  await pass(driver, 6_000);
  expect(scanOf(driver)).toMatchObject({ state: 'done', lines: 3_600, loadedLines: undefined });
  expect(chartOf(driver).unread).not.toContain(true);
});

test('the chart names the containers that it leaves out, as the counts beside it do', async () => {
  const { driver, server } = await openRange();
  server.unscannable.add('web/a');
  await driver.send({ type: 'search', plan: SEARCH });
  await pass(driver, 20_000);
  const scan = scanOf(driver);
  expect(scan && scopeText(scan, UTC, START * 1_000)).toBe('in 08:00:00 to 09:00:00, without 1 container');
  const textOf = (last: number) => stretchText(chartOf(driver), { first: 0, last }, UTC, START * 1_000);
  expect(textOf(60)).toBe('08:00:00 to 09:00:59, without 1 container: 1,800 lines, 0 errors, 0 warnings');
  // Facets that refuse the container ask for nothing of it.
  await driver.send({
    type: 'facets',
    filter: { include: {}, exclude: { container: ['web/a'] }, fields: [] },
  });
  expect(textOf(60)).toBe('08:00:00 to 09:00:59: 1,800 lines, 0 errors, 0 warnings');
});

test.each([
  ['forbidden', undefined],
  ['server-unreachable', 'Read the others again'],
])('after %s, what is offered for the rest is: %s', async (code, offered) => {
  const { server } = await openRange();
  server.unscannable.add('web/a');
  server.failing.set('web/a', { code, data: {} });
  const driver = new SessionDriver(undefined, server);
  await driver.open(RANGE);
  await pass(driver, 20_000);
  const scan = scanOf(driver)!;
  expect(scan).toMatchObject({ state: 'done', incomplete: 1 });
  expect(restText(scan)).toBe(offered);
});

test.each([
  ['a container', false, 'without 1 container'],
  ['a source', true, 'without 1 source'],
])('the chart of loaded lines names %s that it leaves out', async (_, isOfSource, text) => {
  const server = new FakeServer();
  for (let index = 0; index < 60; index++)
    server.lines.push({
      seconds: START + index,
      nanos: 0,
      container: `web/${'ab'[index % 2]}`,
      text: 'INFO',
    });
  const error = { code: 'forbidden', data: {} };
  if (isOfSource) server.reporting = [{ type: 'notice', q: 0, code: 'source-failed', error }];
  else server.failing.set('web/a', error);
  const driver = new SessionDriver(undefined, server);
  await driver.open({ follow: false });
  const lines = isOfSource ? 60 : 30;
  const chart = chartOf(driver);
  expect(stretchText(chart, { first: 0, last: 59 }, UTC, START * 1_000)).toMatch(
    new RegExp(`, ${text}: ${lines} lines, 0 errors, 0 warnings$`),
  );
});

test('a count that fails before any line is loaded draws the range as unread', async () => {
  const server = new FakeServer();
  server.refuse = AWAY;
  const driver = new SessionDriver(undefined, server);
  await driver.open(RANGE);
  await pass(driver, 3_000);
  expect(scanOf(driver)).toMatchObject({ state: 'failed', lines: 0 });
  const { unread } = chartOf(driver);
  expect(unread?.length).toBeGreaterThanOrEqual(60);
  expect(unread).not.toContain(false);
});

test('a count that broke off is repeated by itself, and no more once it is complete', async () => {
  const { driver, server } = await openRange();
  server.refuse = new ApiError(0, { code: 'unreachable', data: { cause: 'away' } });
  await driver.send({ type: 'search', plan: SEARCH });
  await pass(driver, 9_000);
  expect(scanOf(driver)?.state).toBe('failed');
  server.refuse = undefined;
  await pass(driver, 5_500);
  expect(scanOf(driver)).toMatchObject({ state: 'done', lines: 3_600, hits: 18 });
  const { length } = server.scans;
  await pass(driver, 30_000);
  expect(server.scans).toHaveLength(length);
});

test('a count that the server refuses is not repeated', async () => {
  const { driver, server } = await openRange();
  const before = server.scans.length;
  server.refuse = new ApiError(403, { code: 'forbidden', data: {} });
  await driver.send({ type: 'search', plan: SEARCH });
  await pass(driver, 30_000);
  expect(server.scans.length - before).toBe(1);
});

test('counts unreadable containers once they are readable, and does not retry endlessly', async () => {
  const { driver, server } = await openRange();
  server.unscannable.add('web/a');
  await driver.send({ type: 'search', plan: SEARCH });
  await pass(driver, 1_000);
  expect(scanOf(driver)).toMatchObject({ hits: 0, incomplete: 1 });
  server.unscannable.clear();
  await pass(driver, 3_000);
  expect(scanOf(driver)).toMatchObject({ state: 'done', hits: 18, incomplete: 0 });

  server.unscannable.add('web/a');
  await driver.send({ type: 'search', plan: { ...SEARCH, text: 'INFO' } });
  await pass(driver, 20_000);
  const { length } = server.scans;
  await pass(driver, 30_000);
  expect(server.scans).toHaveLength(length);
});

test('an unreadable run is no gap once its container was read', async () => {
  const { driver, server } = await openRange();
  server.unscannable.add('web/a');
  server.scanReporting = [
    { type: 'sources', q: 0, sources: [sourceOf('web/a', 0, ['web'])] },
    {
      type: 'gap',
      q: 0,
      source: 0,
      cause: { code: 'previous-unreadable', data: { why: 'forbidden' } },
      to: '2027-01-15T08:30:00Z',
    },
  ];
  await driver.send({ type: 'search', plan: SEARCH });
  await pass(driver, 1_000);
  expect(scanOf(driver)).toMatchObject({ incomplete: 1, missing: { gaps: 1 } });
  server.unscannable.clear();
  server.scanReporting = [];
  await pass(driver, 3_000);
  expect(scanOf(driver)).toMatchObject({ state: 'done', hits: 18, incomplete: 0, missing: undefined });
  expect(chartOf(driver).gaps).toBeUndefined();
});

test('the repetition of a search that is replaced ends', async () => {
  const { driver, server } = await openRange();
  server.refuse = new ApiError(0, { code: 'unreachable', data: { cause: 'away' } });
  await driver.send({ type: 'search', plan: SEARCH });
  await pass(driver, 3_000);
  await driver.send({ type: 'search', plan: { ...SEARCH, text: 'INFO' } });
  await pass(driver, 1_000);
  const before = server.scans.length;
  server.refuse = undefined;
  await pass(driver, 20_000);
  expect(server.scans.slice(before).map(({ search }) => search?.text)).toEqual(['INFO']);
});
