import { describe, expect, test } from 'vitest';
import { sourceState } from '../../../../../../test/support/engine/container-report.ts';
import { FakeServer } from '../../../../../../test/support/ui/worker/fake-server.ts';
import { SessionDriver } from '../../../../../../test/support/ui/worker/session-driver.ts';
import { ApiError } from '../../../contract/client.ts';
import { makeZoneClock } from '../../console/state/zone-time.ts';
import { scopeText } from '../../messages/coverage.ts';

/* Counts while the follow that continues them does not reach the cluster. */

const UTC = makeZoneClock('utc');
const HOUR = 3_600;
const AWAY = new ApiError(0, { code: 'unreachable', data: { cause: 'away' } });
const LOST = {
  code: 'connection-lost',
  data: { server: 'https://shop', context: 'shop', user: 'ann', why: 'it ended' },
};

/** A view of the last hour of two containers, with a line every second up to now, that was counted. */
async function openHour(opts: { readonly isBounded: boolean }) {
  const server = new FakeServer();
  const driver = new SessionDriver(undefined, server);
  const nowSeconds = () => Math.floor(driver.clock.now() / 1000);
  const began = nowSeconds() - HOUR;
  let written = 0;
  const write = (isDelivered: boolean) => {
    const container = `web/${'ab'[written % 2]}`;
    const line = { seconds: nowSeconds(), nanos: 0, container, text: `INFO at ${written++}` };
    if (isDelivered) server.write(line);
    else server.lines.push(line);
  };
  for (let index = 0; index < HOUR; index++) {
    const container = `web/${'ab'[index % 2]}`;
    server.lines.push({ seconds: began + index, nanos: 0, container, text: `INFO at ${written++}` });
  }
  const from = { kind: 'inclusive', at: new Date(began * 1000).toISOString() } as const;
  await driver.open(opts.isBounded ? { from, opensAt: 'end' } : {});
  const pass = async (seconds: number, isDelivered: boolean) => {
    for (let second = 0; second < seconds; second++) {
      write(isDelivered);
      const untilMs = driver.clock.steady() + 1_000;
      while (driver.clock.steady() < untilMs) await driver.settle();
    }
  };
  await pass(5, true);
  return { driver, server, pass, began, written: () => written };
}

type World = Awaited<ReturnType<typeof openHour>>;

const scanOf = ({ driver }: World) => driver.last('status').status.scan;
const countedOf = ({ driver }: World) => driver.last('facets').facets.level.info;
const linesBefore = ({ server }: World, ms: number) =>
  server.lines.filter(({ seconds }) => seconds * 1000 < ms).length;

/** Reports a state of the container web/a to the page. */
function report({ server }: World, state: 'reconnecting' | 'reconnected'): void {
  for (const stream of server.streams)
    stream.push([
      {
        type: 'state',
        q: stream.request.queries[0]!.id,
        source: stream.indexes.get('web/a')!,
        ...sourceState(state, '', LOST),
      },
    ]);
}

/** What the page says while lines are written that it does not read: nothing of the time since `lostMs`. */
function expectCountsUntil(world: World, lostMs: number): void {
  const { driver, began } = world;
  const scan = scanOf(world);
  if (scan?.readToMs === undefined) throw new Error('nothing was counted');
  expect(scan.readToMs).toBeLessThanOrEqual(lostMs);
  expect(scan.readToMs).toBeGreaterThan(lostMs - 60_000);
  expect(countedOf(world)).toBe(linesBefore(world, scan.readToMs));
  const time = new Date(scan.readToMs).toISOString().slice(11, 19);
  expect(scopeText(scan, UTC, driver.clock.now())).toContain(` to ${time} of `);
  const { histogram } = driver.ask({ type: 'histogram', buckets: 4_000 }, 'histogram') ?? {};
  const { unread = [], fromSeconds = 0, bucketSeconds = 0, others = [] } = histogram ?? {};
  expect(fromSeconds + others.length * bucketSeconds).toBeGreaterThan(driver.clock.now() / 1000 - 10);
  const firstUnread = fromSeconds + unread.indexOf(true) * bucketSeconds;
  expect(firstUnread).toBeGreaterThan(began);
  expect(firstUnread * 1000).toBeLessThanOrEqual(lostMs);
  expect(unread.slice(unread.indexOf(true))).not.toContain(false);
}

function expectExact(world: World): void {
  expect(scanOf(world)).toMatchObject({ state: 'done', readToMs: Number.POSITIVE_INFINITY, incomplete: 0 });
  expect(countedOf(world)).toBe(world.written());
  const { histogram } = world.driver.ask({ type: 'histogram', buckets: 60 }, 'histogram') ?? {};
  expect(histogram?.unread).not.toContain(true);
}

describe.each([
  ['a range that began an hour ago', true],
  ['all logs', false],
])('%s', (_, isBounded) => {
  test('is counted up to the loss of the connection, and to now again once lines come', async () => {
    const world = await openHour({ isBounded });
    const { driver, server, pass } = world;
    expectExact(world);
    const lostMs = driver.clock.now();
    server.refuse = AWAY;
    server.cut();
    await pass(75, false);
    expectCountsUntil(world, lostMs);

    server.refuse = undefined;
    await pass(10, false);
    await driver.send({ type: 'retry-now' });
    await pass(3, true);
    expectExact(world);
  });

  test('is counted up to when a container was read, and to now again once it is back', async () => {
    const world = await openHour({ isBounded });
    const { driver, server, pass } = world;
    expectExact(world);
    server.silent.add('web/a');
    const lostMs = driver.clock.now();
    report(world, 'reconnecting');
    await pass(75, true);
    expectCountsUntil(world, lostMs);

    // The connection of the page is cut as well: a new one does not show that the container was read since.
    server.cut();
    await pass(1, false);
    report(world, 'reconnecting');
    await pass(60, false);
    expectCountsUntil(world, lostMs);

    server.silent.clear();
    server.cut();
    await pass(10, false);
    await driver.send({ type: 'retry-now' });
    await pass(3, true);
    expectExact(world);
  });
});

test('hits of a log that is held whole are those of the held lines while nobody knows what it has written since', async () => {
  const server = new FakeServer();
  const driver = new SessionDriver(undefined, server);
  const write = (text: string) =>
    server.write({ seconds: Math.floor(driver.clock.now() / 1000), nanos: 0, container: 'web/a', text });
  write('refused 1');
  await driver.open();
  await driver.send({
    type: 'search',
    plan: { text: 'refused', matchCase: false, wholeWord: false, regex: false, only: false },
  });
  await driver.settle();
  const searched = () => driver.last('status').status.search;
  expect(searched()).toMatchObject({ hits: 1, searchedBackTo: expect.any(Number) });
  server.refuse = AWAY;
  server.cut();
  await driver.settle();
  expect(searched()).toMatchObject({ hits: 1, searchedBackTo: undefined });
  server.refuse = undefined;
  await driver.send({ type: 'retry-now' });
  await driver.settle();
  expect(searched()).toMatchObject({ hits: 1, searchedBackTo: expect.any(Number) });
});
