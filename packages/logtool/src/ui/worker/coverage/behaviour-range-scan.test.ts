import { describe, expect, test } from 'vitest';
import { type FakeLine, sourceOf } from '../../../../../../test/support/ui/worker/fake-line.ts';
import { FakeServer } from '../../../../../../test/support/ui/worker/fake-server.ts';
import { SessionDriver } from '../../../../../../test/support/ui/worker/session-driver.ts';
import type { BufferStatus, Histogram } from '../protocol/protocol.ts';

const START = 1_800_000_000;
const FROM = { kind: 'inclusive', at: '2027-01-15T08:00:00Z' } as const;
const TO = { kind: 'inclusive', at: '2027-01-15T09:00:00Z' } as const;

function serverOf(count: number, textOf: (index: number) => string): FakeServer {
  const server = new FakeServer();
  for (let index = 0; index < count; index++) {
    const line: FakeLine = {
      seconds: START + index,
      nanos: 0,
      container: index % 2 === 0 ? 'web/a' : 'web/b',
      text: textOf(index),
    };
    server.lines.push(line);
  }
  return server;
}

/** Waits longer than the delay before a scan plus the time between summaries. */
async function counted(driver: SessionDriver): Promise<void> {
  for (let step = 0; step < 8; step++) {
    await driver.clock.advance(200);
    await driver.settle();
  }
}

const scanOf = (driver: SessionDriver) => driver.last('status').status.scan;
const facetsOf = (driver: SessionDriver) => driver.last('facets').facets;
function histogramOf(driver: SessionDriver, buckets = 100): Histogram {
  const answer = driver.ask({ type: 'histogram', buckets }, 'histogram');
  if (answer === undefined) throw new Error('no histogram came');
  return answer.histogram;
}
const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

/** An error every hundred lines, in the first half only. */
const early = (index: number) =>
  index < 1_800 && index % 100 === 0 ? `ERROR at ${index}` : `INFO at ${index}`;

describe('a range', () => {
  test('says where errors begin, by the first error of the outbreak', async () => {
    const textOf = (index: number) =>
      index === 100 || index >= 2_503 ? `ERROR at ${index}` : `INFO at ${index}`;
    const driver = new SessionDriver(undefined, serverOf(3_600, textOf));
    await driver.open({ from: FROM, to: TO, opensAt: 'start', follow: false });
    await counted(driver);
    expect(scanOf(driver)?.errorsBegin).toEqual({ seconds: START + 2_503, nanos: 0 });
    await driver.send({ type: 'facets', filter: { include: {}, exclude: { level: ['error'] }, fields: [] } });
    await counted(driver);
    expect(scanOf(driver)?.errorsBegin).toBeUndefined();
  });

  test('is counted as a whole, though the tab holds a part of it', async () => {
    const driver = new SessionDriver(undefined, serverOf(3_600, early));
    await driver.open({ from: FROM, to: TO, opensAt: 'end', follow: false });
    await counted(driver);
    expect(driver.last('status').status.lines).toBe(1_000);
    expect(scanOf(driver)).toMatchObject({ state: 'done', lines: 3_600, hits: undefined, incomplete: 0 });
    expect(facetsOf(driver).level).toMatchObject({ error: 18, info: 3_582 });
    const { errors, others, unread, fromSeconds, bucketSeconds } = histogramOf(driver);
    expect([sum(errors), sum(others)]).toEqual([18, 3_582]);
    expect(fromSeconds).toBe(START);
    expect(others.length * bucketSeconds).toBeGreaterThanOrEqual(3_600);
    expect(unread?.some(Boolean)).toBe(false);
  });

  test('reports where it is unread, and reads the rest on request', async () => {
    const server = serverOf(3_600, early);
    server.scanLimit = 900;
    const driver = new SessionDriver(undefined, server);
    await driver.open({ from: FROM, to: TO, opensAt: 'end', follow: false });
    await counted(driver);
    // Of the 900 lines read, those before the point to which both containers were read.
    const { readToMs = 0, lines } = scanOf(driver) ?? {};
    expect(readToMs).toBeGreaterThan((START + 890) * 1000);
    expect(readToMs).toBeLessThanOrEqual((START + 900) * 1000);
    expect(lines).toBe(readToMs / 1000 - START);
    expect(scanOf(driver)).toMatchObject({ state: 'stopped', incomplete: 2 });
    const { unread = [], others, errors } = histogramOf(driver, 60);
    const first = unread.indexOf(true);
    expect(first).toBeGreaterThan(10);
    expect(unread.slice(first)).not.toContain(false);
    for (const [bucket, lines] of others.slice(0, first).entries())
      expect(lines + (errors[bucket] ?? 0)).toBe(60);
    server.scanLimit = Number.POSITIVE_INFINITY;
    await driver.send({ type: 'read-rest' });
    await counted(driver);
    expect(scanOf(driver)).toMatchObject({ state: 'done', lines: 3_600, incomplete: 0, readToMs: Infinity });
    expect(server.scans[1]?.positions).toHaveLength(2);
    expect(facetsOf(driver).level).toMatchObject({ error: 18, info: 3_582 });
  });

  test('counts what facets and the search let through, in all of it', async () => {
    const driver = new SessionDriver(undefined, serverOf(3_600, early));
    await driver.open({ from: FROM, to: TO, opensAt: 'end', follow: false });
    await driver.send({ type: 'facets', filter: { include: { level: ['error'] }, exclude: {}, fields: [] } });
    await counted(driver);
    expect(scanOf(driver)).toMatchObject({ state: 'done', lines: 18 });
    // Other levels are counted too; other containers are counted with this level only.
    expect(facetsOf(driver).level).toMatchObject({ error: 18, info: 3_582 });
    expect(facetsOf(driver).container).toEqual({ 'web/a': 18, 'web/b': 0 });
    expect(sum(histogramOf(driver).others)).toBe(0);

    await driver.send({ type: 'facets', filter: { include: {}, exclude: {}, fields: [] } });
    const search = { matchCase: false, wholeWord: true, regex: false };
    await driver.send({ type: 'search', plan: { text: 'at 1700', only: false, ...search } });
    await counted(driver);
    expect(scanOf(driver)).toMatchObject({ state: 'done', lines: 3_600, hits: 1 });
    await driver.send({ type: 'search', plan: { text: 'at 1700', only: true, ...search } });
    await counted(driver);
    expect(scanOf(driver)).toMatchObject({ lines: 1, hits: 1 });
    expect(facetsOf(driver).level.error).toBe(1);
  });

  test('is counted for a search that marks lines of a field filter: what is shown, and the hits', async () => {
    const server = new FakeServer();
    for (let index = 0; index < 3_600; index++) {
      const text = `{"level":"info","n":${index},"status":${index % 4 === 0 ? 500 : 200}}`;
      server.lines.push({ seconds: START + index, nanos: 0, container: 'web/a', text });
    }
    const driver = new SessionDriver(undefined, server);
    const hitScanOf = () => driver.last('status').status.hitScan;
    await driver.open({ from: FROM, to: TO, follow: false });
    const fields = [{ path: 'status', value: '500', exclude: false }];
    await driver.send({ type: 'facets', filter: { include: {}, exclude: {}, fields } });
    await counted(driver);
    expect(scanOf(driver)).toMatchObject({ state: 'done', lines: 900, hits: undefined });
    expect(hitScanOf()).toBeUndefined();
    const plan = { text: '"n":100', matchCase: false, wholeWord: false, regex: false, only: false };
    await driver.send({ type: 'search', plan });
    await counted(driver);
    await counted(driver);
    expect(scanOf(driver)).toMatchObject({ state: 'done', lines: 900, hits: undefined });
    const hits = server.lines.filter(({ text }) => /"n":100.*500/.test(text)).length;
    expect(hitScanOf()).toMatchObject({ state: 'done', hits, readToMs: Infinity, incomplete: 0 });
    expect(facetsOf(driver).level).toMatchObject({ info: 900 });
    await driver.send({ type: 'search', plan: { ...plan, only: true } });
    await counted(driver);
    expect(scanOf(driver)).toMatchObject({ state: 'done', hits });
    expect(hitScanOf()).toBeUndefined();
  });

  test('continues the count of hits of a field filter when it is asked to', async () => {
    const server = new FakeServer();
    for (let index = 0; index < 3_600; index++) {
      const text = `{"level":"info","n":"at ${index}","status":500}`;
      server.lines.push({ seconds: START + index, nanos: 0, container: 'web/a', text });
    }
    server.scanLimit = 900;
    const driver = new SessionDriver(undefined, server);
    await driver.open({ from: FROM, to: TO, follow: false });
    const fields = [{ path: 'status', value: '500', exclude: false }];
    await driver.send({ type: 'facets', filter: { include: {}, exclude: {}, fields } });
    const plan = { text: 'at', matchCase: false, wholeWord: false, regex: false, only: false };
    await driver.send({ type: 'search', plan });
    await counted(driver);
    await counted(driver);
    const { hitScan } = driver.last('status').status;
    expect(hitScan).toMatchObject({ state: 'stopped', readToMs: (START + 895) * 1000, hits: 895 });
    server.scanLimit = Number.POSITIVE_INFINITY;
    await driver.send({ type: 'read-rest' });
    await counted(driver);
    await counted(driver);
    expect(driver.last('status').status.hitScan).toMatchObject({ state: 'done', hits: 3_600 });
  });

  test('has no exact count while a whole source fails, until it is readable', async () => {
    const server = serverOf(3_600, early);
    const error = {
      code: 'forbidden',
      data: { verb: 'list', resource: 'pods', namespace: 'vault' },
    } as never;
    server.scanReporting = [{ type: 'notice', q: 0, code: 'source-failed', error }];
    const driver = new SessionDriver(undefined, server);
    await driver.open({ from: FROM, to: TO, opensAt: 'end', follow: false });
    await counted(driver);
    expect(scanOf(driver)).toMatchObject({ state: 'done', lines: 3_600, incomplete: 0, failedSources: 1 });
    await driver.send({ type: 'read-rest' });
    await counted(driver);
    expect(scanOf(driver)).toMatchObject({ state: 'done', failedSources: 1 });
    server.scanReporting = [];
    await driver.send({ type: 'read-rest' });
    await counted(driver);
    expect(scanOf(driver)).toMatchObject({ state: 'done', lines: 3_600, failedSources: 0 });
  });

  test('is never counted for filters or a search that were chosen before', async () => {
    const driver = new SessionDriver(undefined, serverOf(3_600, early));
    await driver.open({ from: FROM, to: TO, opensAt: 'end', follow: false });
    const search = { matchCase: false, wholeWord: true, regex: false, only: true };
    await driver.send({ type: 'search', plan: { text: 'never written', ...search } });
    await counted(driver);
    expect(scanOf(driver)).toMatchObject({ state: 'done', hits: 0 });
    expect(facetsOf(driver).level.error).toBe(0);
    const { asked } = driver.last('status').status;
    let first = driver.sent.length;
    const since = (type: 'status' | 'facets') =>
      driver.sent.slice(first).filter((each) => each.type === type);
    await driver.send({ type: 'search', plan: { text: 'at 1700', ...search } });
    for (const { status } of since('status') as { status: BufferStatus }[]) {
      expect(status.asked).toBe(asked + 1);
      // Until they are counted again, the counts cover the held lines.
      expect(status.scan).toBeUndefined();
    }
    await counted(driver);
    expect(scanOf(driver)).toMatchObject({ hits: 1, lines: 1 });
    first = driver.sent.length;
    await driver.send({ type: 'facets', filter: { include: { level: ['info'] }, exclude: {}, fields: [] } });
    for (const { status } of since('status') as { status: BufferStatus }[])
      expect(status).toMatchObject({ asked: asked + 2, scan: { lines: 0, hits: 0 } });
    // The counts of facets come with the first status.
    expect(driver.sent[first]?.type).toBe('facets');
  });

  test('without an end counts what comes after the scan too, each line once', async () => {
    const driver = new SessionDriver(undefined, serverOf(500, early));
    await driver.open({ from: FROM, opensAt: 'end' });
    await counted(driver);
    expect(scanOf(driver)).toMatchObject({ state: 'done', lines: 500 });
    for (let index = 500; index < 520; index++)
      driver.server.write({
        seconds: START + 499,
        nanos: index,
        container: 'web/b',
        text: `ERROR at ${index}`,
      });
    driver.server.write({ seconds: START + 600, nanos: 0, container: 'web/c', text: 'INFO from a new pod' });
    await driver.settle();
    await counted(driver);
    expect(scanOf(driver)).toMatchObject({ state: 'done', lines: 521 });
    expect(facetsOf(driver).level.error).toBe(25);
    expect(driver.server.scans.filter(({ bucketMs }) => bucketMs !== undefined)).toHaveLength(1);
  });
});

describe('without a range', () => {
  test('all logs are counted by themselves, though the tab holds their newest lines only', async () => {
    const driver = new SessionDriver(undefined, serverOf(3_600, early));
    await driver.open({});
    await driver.settle();
    expect(driver.last('status').status.lines).toBe(1_000);
    await counted(driver);
    expect(scanOf(driver)).toMatchObject({ state: 'done', lines: 3_600, readToMs: Infinity });
    expect(facetsOf(driver).level).toMatchObject({ error: 18, info: 3_582 });
    const { errors, others } = histogramOf(driver);
    expect([sum(errors), sum(others)]).toEqual([18, 3_582]);
  });

  test('what is held is not read again', async () => {
    const driver = new SessionDriver(undefined, serverOf(900, early));
    await driver.open({});
    await counted(driver);
    expect(driver.server.scans).toEqual([]);
    expect(facetsOf(driver).level).toMatchObject({ error: 9, info: 891 });
  });

  test('logs beyond the budget have the counts of what was read of them and of what is held, and say so', async () => {
    const server = serverOf(3_600, early);
    server.scanLimit = 900;
    const driver = new SessionDriver(undefined, server);
    await driver.open({});
    await counted(driver);
    expect(server.scans).toHaveLength(1);
    const { readToMs = 0, lines = 0 } = scanOf(driver) ?? {};
    expect(scanOf(driver)).toMatchObject({ state: 'stopped', incomplete: 2 });
    expect(lines).toBe(readToMs / 1_000 - START);
    expect(lines).toBeGreaterThan(890);
    expect(driver.last('status').status.isCountCut).toBe(false);
    expect(facetsOf(driver).level).toMatchObject({ error: 9, info: lines - 9 });
    const { others, errors, unread = [], bucketSeconds } = histogramOf(driver, 1_000);
    expect([unread[0], unread.at(-1)]).toEqual([false, false]);
    const counts = others.map((count, bucket) => count + (errors[bucket] ?? 0));
    const inBuckets = (isUnread: boolean) =>
      counts.filter((_, bucket) => unread[bucket] === isUnread).slice(0, isUnread ? undefined : -1);
    expect(new Set(inBuckets(false))).toEqual(new Set([bucketSeconds]));
    expect(sum(inBuckets(true))).toBeLessThan(20);
    server.scanLimit = Number.POSITIVE_INFINITY;
    await driver.send({ type: 'read-rest' });
    await counted(driver);
    expect(server.scans[1]?.positions).toHaveLength(2);
    expect(scanOf(driver)).toMatchObject({ state: 'done', lines: 3_600 });
    expect(facetsOf(driver).level).toMatchObject({ error: 18, info: 3_582 });
  });

  test('a container that a count did not begin to read has no exact count of zero', async () => {
    const server = serverOf(3_600, early);
    server.scanLimit = 1;
    const driver = new SessionDriver(undefined, server);
    await driver.open({});
    await counted(driver);
    expect(scanOf(driver)).toMatchObject({ state: 'stopped', incomplete: 2, readToMs: undefined });
    expect(facetsOf(driver).partial.container.toSorted()).toEqual(['web/a', 'web/b']);
  });

  test('lines that come are counted once, also those that the tab lets go and loads again', async () => {
    const driver = new SessionDriver({ lines: 1_500, bytes: 2 ** 29 }, serverOf(1_200, early));
    await driver.open({});
    await counted(driver);
    const write = async (from: number, to: number) => {
      for (let index = from; index < to; index++)
        driver.server.write({
          seconds: START + index,
          nanos: 0,
          container: index % 3 === 0 ? 'web/a' : 'web/c',
          text: index % 100 === 0 ? `ERROR at ${index}` : `INFO at ${index}`,
        });
      await driver.settle();
      await counted(driver);
    };
    await write(1_200, 4_000);
    expect(driver.last('status').status.lines).toBeLessThan(2_000);
    expect(scanOf(driver)).toMatchObject({ state: 'done', lines: 4_000 });
    const [first] = driver.rows();
    if (first?.kind !== 'missing') throw new Error('nothing was let go');
    await driver.send({ type: 'load-missing', entry: first.entry });
    await counted(driver);
    await write(4_000, 4_100);
    expect(scanOf(driver)).toMatchObject({ state: 'done', lines: 4_100 });
    expect(facetsOf(driver).level.error).toBe(41);
    expect(sum(histogramOf(driver).errors)).toBe(41);
  });

  test('matches of a search are counted once as they come', async () => {
    const driver = new SessionDriver(undefined, serverOf(3_000, early));
    const search = { text: 'ERROR', only: true, matchCase: false, wholeWord: false, regex: false };
    await driver.open({});
    await driver.send({ type: 'search', plan: search });
    await counted(driver);
    expect(scanOf(driver)).toMatchObject({ state: 'done', lines: 18, hits: 18 });
    for (let index = 3_000; index < 3_050; index++)
      driver.server.write({
        seconds: START + index,
        nanos: 0,
        container: 'web/a',
        text: index % 10 === 0 ? `ERROR at ${index}` : `INFO at ${index}`,
      });
    await driver.settle();
    await counted(driver);
    expect(scanOf(driver)).toMatchObject({ state: 'done', lines: 23, hits: 23 });
  });
});

describe('the chart of a range that ends now', () => {
  const HOUR = 3_600;

  /** A session with a line a second from two hours ago, for as many seconds. */
  async function openFrom(seconds: number, scanLimit = Number.POSITIVE_INFINITY): Promise<SessionDriver> {
    const server = new FakeServer();
    server.scanLimit = scanLimit;
    const driver = new SessionDriver(undefined, server);
    const began = Math.floor(driver.clock.now() / 1000) - 2 * HOUR;
    for (let index = 0; index < seconds; index++)
      server.lines.push({ seconds: began + index, nanos: 0, container: 'web/a', text: `INFO at ${index}` });
    const at = new Date(began * 1000).toISOString();
    await driver.open({ from: { kind: 'inclusive', at }, opensAt: 'end' });
    await counted(driver);
    return driver;
  }

  const endOf = ({ fromSeconds, bucketSeconds, others }: Histogram) =>
    fromSeconds + others.length * bucketSeconds;

  test('shows the silence after the last line as zero, up to now', async () => {
    const driver = await openFrom(HOUR);
    const histogram = histogramOf(driver, 60);
    expect(endOf(histogram)).toBeGreaterThanOrEqual(driver.clock.now() / 1000);
    expect(sum(histogram.others.slice(-10))).toBe(0);
    expect(histogram.unread).not.toContain(true);
  });

  test('shows a range without any line as zero', async () => {
    const histogram = histogramOf(await openFrom(0), 60);
    expect(histogram.others.length).toBeGreaterThanOrEqual(20);
    expect(sum(histogram.others)).toBe(0);
  });

  test('marks unread time as unread, up to now', async () => {
    const driver = await openFrom(HOUR, 1_800);
    const histogram = histogramOf(driver, 60);
    expect(endOf(histogram)).toBeGreaterThanOrEqual(driver.clock.now() / 1000);
    expect(histogram.unread?.slice(-17)).not.toContain(false);
    expect(histogram.unread?.[0]).toBe(false);
  });
});

describe('lines that counts lack although everything was read', () => {
  const search = { text: 'ERROR', only: false, matchCase: false, wholeWord: false, regex: false };
  const all = { from: FROM, to: TO, opensAt: 'end', follow: false } as const;

  test('gaps that the page marks are named, with their time', async () => {
    const server = serverOf(600, early);
    const gap = { type: 'gap', q: 0, source: 0, cause: { code: 'rotated', data: {} } } as const;
    server.reporting = [{ ...gap, from: '2027-01-15T08:02:00Z', to: '2027-01-15T08:04:00Z' }];
    const driver = new SessionDriver(undefined, server);
    await driver.open(all);
    await driver.jump({ at: 'start' });
    await counted(driver);
    const missing = {
      gaps: 1,
      gapFromMs: (START + 120) * 1000,
      gapToMs: (START + 240) * 1000,
      lost: 0,
      gone: 0,
    };
    expect(scanOf(driver)).toMatchObject({ state: 'done', missing });
    await driver.send({ type: 'search', plan: search });
    await counted(driver);
    expect(scanOf(driver)).toMatchObject({ hits: 6, missing });
  });

  test('a gap of earlier runs has no begin, though lines of the current run precede its end', async () => {
    const server = serverOf(600, early);
    const gap = {
      type: 'gap',
      q: 0,
      source: 0,
      cause: { code: 'previous-unreadable', data: { why: 'no' } },
    } as const;
    server.reporting = [{ ...gap, to: '2027-01-15T08:00:03Z' }];
    const driver = new SessionDriver(undefined, server);
    await driver.open(all);
    await driver.jump({ at: 'start' });
    await counted(driver);
    const { missing } = scanOf(driver) ?? {};
    expect(missing).toMatchObject({
      gaps: 1,
      gapFromMs: Number.NEGATIVE_INFINITY,
      gapToMs: (START + 3) * 1000,
    });
  });

  test.each([
    ['2027-01-15T08:05:00Z', (START + 300) * 1000],
    [TO.at, undefined],
  ])(
    'earlier runs that are gone (to %s) have ended by %j: the end of the range is no end of a run',
    async (to, goneRunsToMs) => {
      const server = serverOf(600, early);
      const cause = { code: 'runs-gone', data: { count: 2 } } as const;
      server.scanReporting = [
        { type: 'sources', q: 0, sources: [sourceOf('web/a', 0, ['web'])] },
        { type: 'gap', q: 0, source: 0, to, cause },
      ];
      const driver = new SessionDriver(undefined, server);
      await driver.open(all);
      await counted(driver);
      expect(scanOf(driver)).toMatchObject({ missing: { goneRuns: 2, goneRunsToMs, lost: 0, gaps: 0 } });
    },
  );

  test('nothing is named where nothing is missing', async () => {
    const driver = new SessionDriver(undefined, serverOf(600, early));
    await driver.open(all);
    await counted(driver);
    expect(scanOf(driver)).toMatchObject({ state: 'done', missing: undefined });
  });

  test('a deleted container whose lines a new search cannot read is named', async () => {
    const driver = new SessionDriver(undefined, serverOf(3_600, early));
    await driver.open({ from: FROM, opensAt: 'end' });
    await counted(driver);
    expect(scanOf(driver)).toMatchObject({ lines: 3_600, missing: undefined });
    const { server } = driver;
    server.streams[0]?.push([{ type: 'state', q: 0, source: 1, state: 'left', why: 'deleted' }]);
    server.lines.splice(
      0,
      server.lines.length,
      ...server.lines.filter(({ container }) => container === 'web/a'),
    );
    await driver.settle();
    await driver.send({ type: 'search', plan: search });
    await counted(driver);
    expect(scanOf(driver)).toMatchObject({ lines: 1_800 + 500, missing: { gone: 1, gaps: 0, lost: 0 } });
  });
});

test('a chart of filters that nothing passes spans the counted time, with zeros', async () => {
  const driver = new SessionDriver(undefined, serverOf(3_600, early));
  await driver.open({ follow: false });
  const plan = { text: 'no such text', matchCase: false, wholeWord: false, regex: false, only: true };
  await driver.send({ type: 'search', plan });
  await counted(driver);
  expect(scanOf(driver)).toMatchObject({ state: 'done', hits: 0 });
  const { fromSeconds, bucketSeconds, others, errors } = histogramOf(driver, 60);
  expect([fromSeconds, fromSeconds + others.length * bucketSeconds]).toEqual([START, START + 3_600]);
  expect([sum(others), sum(errors)]).toEqual([0, 0]);
});

test('a range that ends in the future is counted up to what the server has read', async () => {
  const server = serverOf(600, early);
  server.scansTo = { seconds: START + 900, nanos: 0 };
  const driver = new SessionDriver(undefined, server);
  await driver.open({ from: FROM, to: TO, opensAt: 'end', follow: false });
  await counted(driver);
  expect(scanOf(driver)).toMatchObject({ state: 'done', lines: 600, readToMs: (START + 900) * 1000 });
  const { unread = [] } = histogramOf(driver, 60);
  expect(unread[0]).toBe(false);
  expect(unread.slice(-40)).not.toContain(false);
});

test('the counts are exact once the only container with an unread end is left out', async () => {
  const server = serverOf(3_600, early);
  // The last lines are of one container.
  for (let index = 3_600; index < 3_700; index++)
    server.lines.push({ seconds: START + index, nanos: 0, container: 'web/c', text: `INFO at ${index}` });
  server.scanLimit = 3_600;
  const driver = new SessionDriver(undefined, server);
  await driver.open({ from: FROM, to: { kind: 'inclusive', at: '2027-01-15T10:00:00Z' }, follow: false });
  await counted(driver);
  expect(scanOf(driver)).toMatchObject({ state: 'stopped', incomplete: 1 });
  await driver.send({
    type: 'facets',
    filter: { include: {}, exclude: { container: ['web/c'] }, fields: [] },
  });
  await counted(driver);
  expect(scanOf(driver)).toMatchObject({ state: 'done', incomplete: 0, lines: 3_600, readToMs: Infinity });
});
