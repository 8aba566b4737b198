import { expect, test } from 'vitest';
import { sourceState } from '../../../../../../test/support/engine/container-report.ts';
import { sourceOf } from '../../../../../../test/support/ui/worker/fake-line.ts';
import { FakeServer } from '../../../../../../test/support/ui/worker/fake-server.ts';
import { SessionDriver } from '../../../../../../test/support/ui/worker/session-driver.ts';

/* The node rotates the log of a container while the page holds the lines that it moved away. */

const START = 1_800_000_000;
const FROM = { kind: 'inclusive', at: '2027-01-15T08:00:00Z' } as const;
const SEARCH = { text: 'ERROR', only: false, matchCase: false, wholeWord: false, regex: false };
const LINES = 3_600;

const timeOf = (second: number) => new Date((START + second) * 1_000).toISOString();
const textOf = (second: number) => `${second % 50 === 0 ? 'ERROR' : 'INFO'} at ${second}`;

/** A view of an hour of two containers, one line a second in turn, which holds the last 1,000 lines. */
async function openHour(count = LINES): Promise<SessionDriver> {
  const server = new FakeServer();
  for (let second = 0; second < count; second++)
    server.lines.push({
      seconds: START + second,
      nanos: 0,
      container: `web/${'ab'[second % 2]}`,
      text: textOf(second),
    });
  const driver = new SessionDriver(undefined, server);
  await driver.open({ from: FROM, opensAt: 'end' });
  await counted(driver);
  expect(scanOf(driver)).toMatchObject({ state: 'done', lines: count, missing: undefined });
  return driver;
}

/** Waits longer than the delay before a scan plus the time between summaries. */
async function counted(driver: SessionDriver): Promise<void> {
  for (let step = 0; step < 8; step++) {
    await driver.clock.advance(200);
    await driver.settle();
  }
}

const scanOf = (driver: SessionDriver) => driver.last('status').status.scan;
const gapsOf = (driver: SessionDriver) =>
  driver.ask({ type: 'histogram', buckets: 60 }, 'histogram')?.histogram.gaps;

/** The node no longer has the lines of web/a between these seconds, and a scan finds that out. */
function rotate({ server }: SessionDriver, from: number, to: number): number {
  const isLost = ({ container, seconds }: (typeof server.lines)[number]) =>
    container === 'web/a' && seconds >= START + from && seconds < START + to;
  const kept = server.lines.filter((line) => !isLost(line));
  const lost = server.lines.length - kept.length;
  server.lines.splice(0, server.lines.length, ...kept);
  server.scanReporting = [
    { type: 'sources', q: 0, sources: [sourceOf('web/a', 0, ['web'])] },
    {
      type: 'gap',
      q: 0,
      source: 0,
      from: timeOf(from),
      to: timeOf(to),
      cause: { code: 'begins-late', data: { beginsAt: timeOf(to), wasRotated: true } },
    },
  ];
  return lost;
}

test('a rotation is no gap if the page holds its lines, and counts them with those of the scan', async () => {
  const driver = await openHour();
  expect(rotate(driver, 3_000, 3_200)).toBe(100);
  await driver.send({ type: 'search', plan: SEARCH });
  await counted(driver);
  expect(scanOf(driver)).toMatchObject({ state: 'done', lines: LINES, hits: LINES / 50, missing: undefined });
  expect(driver.last('facets').facets.container).toMatchObject({ 'web/a': LINES / 2, 'web/b': LINES / 2 });
  expect(gapsOf(driver)).toBeUndefined();

  // Lines that come then are counted once.
  driver.server.write({ seconds: START + LINES, nanos: 0, container: 'web/a', text: 'ERROR later' });
  await counted(driver);
  expect(scanOf(driver)).toMatchObject({ lines: LINES + 1, hits: LINES / 50 + 1, missing: undefined });
});

test('a rotation is no gap either if the whole range is held, back to its beginning', async () => {
  const driver = await openHour(600);
  expect(rotate(driver, 0, 200)).toBe(100);
  await driver.send({ type: 'search', plan: SEARCH });
  await counted(driver);
  expect(scanOf(driver)).toMatchObject({ state: 'done', lines: 600, hits: 12, missing: undefined });
});

test('of a rotation that reaches back before what is held, only that part is a gap', async () => {
  const driver = await openHour();
  expect(rotate(driver, 2_400, 3_200)).toBe(400);
  await driver.send({ type: 'search', plan: SEARCH });
  await counted(driver);
  // The page holds the lines since 2,600: only those of web/a before that are missing.
  const missing = { gaps: 1, gapFromMs: (START + 2_400) * 1_000, gapToMs: (START + 2_600) * 1_000 };
  expect(scanOf(driver)).toMatchObject({ state: 'done', lines: LINES - 100, missing });
  expect(gapsOf(driver)).toHaveLength(1);
});

/** The node reports that the log of web/a begins at a time, with nothing before: it was rotated. */
async function reportLoss(driver: SessionDriver, second: number): Promise<void> {
  const cause = { code: 'begins-late', data: { beginsAt: timeOf(second), afterSeconds: 2_000 } } as const;
  const [stream] = driver.server.streams;
  const source = stream?.indexes.get('web/a') ?? -1;
  const q = stream?.request.queries[0]?.id ?? -1;
  stream?.push([{ type: 'gap', q, source, to: timeOf(second), cause }]);
  await driver.settle();
}

test('lines that are held from before a rotation are counted although the log is reported to begin after it', async () => {
  const driver = await openHour(600);
  rotate(driver, 0, 200);
  await reportLoss(driver, 200);
  await driver.send({ type: 'search', plan: SEARCH });
  await counted(driver);
  expect(scanOf(driver)).toMatchObject({ state: 'done', lines: 600, hits: 12, missing: undefined });
  expect(gapsOf(driver)).toBeUndefined();
});

test('a rotation after the count takes nothing from it, whether the page holds the lines or not', async () => {
  const driver = await openHour();
  await reportLoss(driver, 2_000);
  await counted(driver);
  expect(scanOf(driver)).toMatchObject({ lines: LINES, missing: undefined });
  expect(gapsOf(driver)).toBeUndefined();
  expect(driver.last('status').status).toMatchObject({ hasGaps: true, lostBeginnings: 1 });
});

test('a rotation stays a gap if the page holds only some of its lines', async () => {
  const driver = await openHour();
  const lost = rotate(driver, 3_000, 3_200);
  driver.server.streams[0]?.push([
    {
      type: 'gap',
      q: 0,
      source: 0,
      from: timeOf(3_100),
      to: timeOf(3_110),
      cause: { code: 'rotated', data: {} },
    },
  ]);
  await driver.send({ type: 'search', plan: SEARCH });
  await counted(driver);
  // Those of web/a since the end of the other gap are held.
  const held = (3_200 - 3_110) / 2;
  expect(scanOf(driver)).toMatchObject({ lines: LINES - lost + held, missing: { gaps: 2 } });
});

test('a rotation stays a gap while the page does not hear of the container', async () => {
  const driver = await openHour();
  const lost = rotate(driver, 3_000, 3_200);
  const { streams } = driver.server;
  const source = streams[0]!.indexes.get('web/a')!;
  const error = { code: 'connection-lost', data: { server: 'https://shop', why: 'it ended' } };
  streams[0]?.push([
    {
      type: 'state',
      q: streams[0].request.queries[0]!.id,
      source,
      ...sourceState('reconnecting', '', error),
    },
  ]);
  await driver.settle();
  await driver.send({ type: 'search', plan: SEARCH });
  await counted(driver);
  const missing = { gaps: 1, gapFromMs: (START + 3_000) * 1_000, gapToMs: (START + 3_200) * 1_000 };
  expect(scanOf(driver)).toMatchObject({ missing });
  expect(scanOf(driver)?.lines).toBeLessThanOrEqual(LINES - lost);
});

test('a range that ends before the log begins names that time, and not its own end', async () => {
  const driver = new SessionDriver();
  driver.server.scanReporting = [
    { type: 'sources', q: 0, sources: [sourceOf('web/a', 0, ['web'])] },
    {
      type: 'gap',
      q: 0,
      source: 0,
      from: timeOf(0),
      to: timeOf(600),
      cause: { code: 'begins-late', data: { beginsAt: timeOf(3_000), afterSeconds: 3_000 } },
    },
  ];
  driver.server.lines.push({ seconds: START + 3_000, nanos: 0, container: 'web/a', text: textOf(3_000) });
  await driver.open({ from: FROM, to: { kind: 'strict', at: timeOf(600) }, follow: false });
  await counted(driver);
  const beginMs = (START + 3_000) * 1_000;
  expect(scanOf(driver)?.missing).toMatchObject({ lost: 1, lostFromMs: beginMs, lostToMs: beginMs });
});
