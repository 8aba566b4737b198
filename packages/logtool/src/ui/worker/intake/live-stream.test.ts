import { expect, test } from 'vitest';
import { sourceState } from '../../../../../../test/support/engine/container-report.ts';
import { FakeServer } from '../../../../../../test/support/ui/worker/fake-server.ts';
import { SessionDriver } from '../../../../../../test/support/ui/worker/session-driver.ts';
import { ApiError } from '../../../contract/client.ts';
import type { WireError } from '../../../contract/error.ts';
import type { ContainerReport } from '../../../domain/frame.ts';
import { logMessageOf } from '../../messages/log-message-of.ts';

const line = (seconds: number, text: string) => ({ seconds, nanos: 0, container: 'web/a', text });

test('reports a cut with the time of the next try, and Retry now does not wait for it', async () => {
  const driver = new SessionDriver();
  await driver.open();
  driver.server.refuse = new ApiError(0, { code: 'server-unreachable', data: { cause: 'nobody answers' } });
  driver.server.cut();
  await driver.settle();
  await driver.clock.advance(8_000);
  await driver.settle();
  const { connection } = driver.last('status').status;
  expect(connection).toMatchObject({ state: 'reconnecting', error: { data: { cause: 'nobody answers' } } });
  if (connection.state !== 'reconnecting') throw new Error('not reconnecting');
  expect(connection.retryAtMs).toBeGreaterThan(driver.clock.now());
  expect(connection.retryAtMs).toBeLessThanOrEqual(driver.clock.now() + 5_000);
  driver.server.refuse = undefined;
  driver.server.write(line(1_800_000_000, 'in the meantime'));
  await driver.send({ type: 'retry-now' });
  expect(driver.last('status').status.connection).toEqual({ state: 'live' });
  expect(driver.texts()).toEqual(['in the meantime']);
  const [marker] = driver.rows().filter((row) => row.kind === 'marker');
  expect(marker).toMatchObject({ marker: 'reconnected', isWarning: false });
});

test('a rest releases the connection, and lines written meanwhile come once after it: it is no cut', async () => {
  const driver = new SessionDriver();
  driver.server.write(line(1_800_000_000, 'before'));
  await driver.open();
  await driver.send({ type: 'rest', isResting: true });
  const asked = driver.server.requests.length;
  driver.server.write(line(1_800_000_001, 'meanwhile'));
  await driver.clock.advance(60_000);
  // Nothing retries at once here; a retry does not end the rest.
  await driver.send({ type: 'retry-now' });
  await driver.settle();
  expect(driver.server.requests).toHaveLength(asked);
  expect(driver.texts()).toEqual(['before']);
  await driver.send({ type: 'rest', isResting: false });
  await driver.settle();
  driver.server.write(line(1_800_000_002, 'after'));
  await driver.settle();
  expect(driver.texts()).toEqual(['before', 'meanwhile', 'after']);
  expect(driver.last('status').status.connection).toEqual({ state: 'live' });
  expect(driver.rows().filter((row) => row.kind === 'marker')).toEqual([]);
});

test('a view that is opened during a rest is read after it', async () => {
  const driver = new SessionDriver();
  driver.server.write(line(1_800_000_000, 'there'));
  await driver.send({ type: 'rest', isResting: true });
  await driver.open();
  expect(driver.server.requests).toHaveLength(0);
  await driver.send({ type: 'rest', isResting: false });
  await driver.settle();
  expect(driver.texts()).toEqual(['there']);
});

test('tries come after half a second, then ever later, at most five seconds apart', async () => {
  const driver = new SessionDriver();
  await driver.open();
  driver.server.refuse = new ApiError(503, { code: 'starting', data: {} });
  driver.server.cut();
  const waits: number[] = [];
  for (let attempt = 0; attempt < 7; attempt++) {
    await driver.settle();
    const { connection } = driver.last('status').status;
    if (connection.state !== 'reconnecting') throw new Error(connection.state);
    const asked = driver.server.requests.length;
    const from = driver.clock.now();
    while (driver.server.requests.length === asked) await driver.clock.advance(10);
    waits.push(Math.round((driver.clock.now() - from) / 500) * 500);
  }
  expect(waits).toEqual([500, 500, 1_000, 2_000, 3_000, 5_000, 5_000]);
});

test('a connection that is silent for forty seconds is given up', async () => {
  const driver = new SessionDriver();
  await driver.open();
  await driver.clock.advance(39_000);
  expect(driver.server.requests).toHaveLength(1);
  await driver.clock.advance(2_000);
  await driver.settle();
  await driver.clock.advance(1_000);
  await driver.settle();
  expect(driver.server.requests).toHaveLength(2);
});

test('requests a page without an answer once more, then gives up, and can request it again', async () => {
  const driver = new SessionDriver();
  for (let index = 0; index < 1_500; index++) driver.server.lines.push(line(1_800_000_000 + index, 'a line'));
  await driver.open();
  // The follow stream's heartbeats continue.
  const pass = async () => {
    for (let beat = 0; beat < 3; beat++) {
      driver.server.streams[0]?.push([{ type: 'heartbeat', at: 0 }]);
      await driver.settle();
      await driver.clock.advance(15_000);
    }
    await driver.settle();
  };
  driver.server.isSilent = true;
  await driver.send({ type: 'load', what: 'older' });
  expect(driver.last('status').status.loading).toBe('older');
  await pass();
  expect(driver.server.requests).toHaveLength(3);
  await pass();
  expect(driver.server.requests).toHaveLength(3);
  expect(driver.last('status').status.loading).toBe('none');
  expect(driver.last('problem').problems).toMatchObject([{ error: { code: 'page-cut' } }]);
  driver.server.isSilent = false;
  await driver.send({ type: 'load', what: 'older' });
  expect(driver.texts()).toHaveLength(1_500);
  expect(driver.last('problem').problems).toEqual([]);
});

test('reports an ended session, and asks nothing more', async () => {
  const driver = new SessionDriver();
  await driver.open();
  driver.server.refuse = new ApiError(401, { code: 'not-signed-in', data: {} });
  driver.server.cut();
  await driver.settle();
  await driver.clock.advance(60_000);
  expect(driver.last('signed-out')).toEqual({
    type: 'signed-out',
    error: { code: 'not-signed-in', data: {} },
  });
  expect(driver.server.requests).toHaveLength(2);
});

test('the server says why it closes a stream', async () => {
  const driver = new SessionDriver();
  await driver.open();
  driver.server.streams[0]?.push([{ type: 'closing', reason: 'expired' }]);
  await driver.settle();
  const { error } = driver.last('signed-out');
  expect(error).toEqual({ code: 'expired', data: {} });
  expect(logMessageOf(error)).toEqual({ what: 'Your session has expired' });
});

test('a stream that a newer server closes for an unknown reason is opened again, and nobody is signed out', async () => {
  const driver = new SessionDriver();
  await driver.open();
  driver.server.streams[0]?.push([{ type: 'closing', reason: 'of-a-newer-server' } as never]);
  await driver.clock.advance(60_000);
  expect(driver.sent.filter(({ type }) => type === 'signed-out')).toEqual([]);
  expect(driver.server.requests.length).toBeGreaterThan(1);
});

test.each([
  [400, 'bad-request'],
  [403, 'namespace-not-allowed'],
])('a question that the server refuses is a problem, not asked again (%i)', async (status, code) => {
  const driver = new SessionDriver(undefined, new FakeServer());
  driver.server.refuse = new ApiError(status, { code, data: { problem: 'form', allowed: [] } });
  await driver.open();
  await driver.clock.advance(60_000);
  expect(driver.server.requests).toHaveLength(1);
  expect(driver.last('problem').problems).toMatchObject([{ error: { code } }]);
  expect(driver.last('status').status.loading).toBe('none');
});

test('a query that can never be answered is a problem; one that failed is asked again', async () => {
  const driver = new SessionDriver();
  await driver.open();
  const error = { code: 'unreachable', data: { problem: 'timeout', context: 'shop', limitMs: 5_000 } };
  driver.server.streams[0]?.push([{ type: 'done', q: 0, error }]);
  await driver.settle();
  await driver.clock.advance(1_000);
  await driver.settle();
  expect(driver.server.requests).toHaveLength(2);
  const last = { code: 'bad-query', data: { problem: 'same-id' } };
  driver.server.streams[1]?.push([{ type: 'done', q: 1, error: last, final: true }]);
  await driver.settle();
  await driver.clock.advance(60_000);
  expect(driver.server.requests).toHaveLength(2);
  expect(driver.last('problem').problems).toMatchObject([{ error: last }]);
});

test('containers that join, restart and fail are rows in their place, once each', async () => {
  const driver = new SessionDriver();
  driver.server.lines.push(line(1_800_000_000, 'first'));
  await driver.open();
  const notify = (state: ContainerReport<WireError>) =>
    driver.server.streams[0]?.push([{ type: 'state', q: 0, source: 0, ...state }]);
  // A container that existed at opening did not join.
  notify({ state: 'joined' });
  notify({ state: 'restarted', count: 1 });
  notify({ state: 'restarted', count: 1 });
  await driver.settle();
  driver.server.write(line(1_800_000_005, 'second'));
  await driver.settle();
  const rows = driver.rows().map((row) => ('text' in row ? row.text : ''));
  expect(rows).toEqual(['first', 'web/a/app restarted (1st time)', 'second']);
});

test('a broken connection is a problem until the container delivers lines or is back, by itself or with many', async () => {
  const driver = new SessionDriver();
  driver.server.lines.push(line(1_800_000_000, 'first'));
  driver.server.lines.push({ ...line(1_800_000_000, 'first of b'), container: 'web/b' });
  await driver.open();
  const error = { code: 'not-found', data: { server: 'https://shop', why: 'the log was not found (404)' } };
  const notify = async (state: 'reconnecting' | 'reconnected', source: number, otherIds?: string[]) => {
    const more = otherIds === undefined ? {} : { others: otherIds.length, otherIds };
    driver.server.streams[0]?.push([
      { type: 'state', q: 0, source, ...sourceState(state, '', error), ...more },
    ]);
    await driver.settle();
  };
  const problems = () => driver.last('problem').problems.length;
  await notify('reconnecting', 0);
  expect(problems()).toBe(1);
  driver.server.write(line(1_800_000_005, 'second'));
  await driver.settle();
  expect(problems()).toBe(0);
  await notify('reconnecting', 0, ['web/b']);
  expect(problems()).toBe(1);
  await notify('reconnected', 1, ['web/a']);
  expect(problems()).toBe(0);
  await notify('reconnecting', 0);
  await notify('reconnecting', 1);
  // Equal errors are one problem, and the page reconnects on its own.
  expect(driver.last('problem').problems).toHaveLength(1);
  expect(driver.last('problem').problems[0]).toMatchObject({ error, isRetried: true });
  await notify('reconnected', 1);
  expect(driver.last('problem').problems).toMatchObject([{ source: 0 }]);
});

test('a container that left is not asked for again after a cut', async () => {
  const driver = new SessionDriver();
  driver.server.lines.push(line(1_800_000_000, 'first'));
  driver.server.lines.push({ ...line(1_800_000_000, 'first of b'), container: 'web/b' });
  await driver.open();
  driver.server.streams[0]?.push([{ type: 'state', q: 0, source: 0, state: 'left', why: 'deleted' }]);
  await driver.settle();
  driver.server.cut();
  await driver.clock.advance(1_000);
  await driver.settle();
  const points = driver.server.requests.at(-1)?.queries[0]?.resume?.points;
  expect(points?.map(({ id }) => id)).toEqual(['web/b']);
});
