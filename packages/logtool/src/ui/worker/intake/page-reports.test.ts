import { expect, test } from 'vitest';
import { sourceState } from '../../../../../../test/support/engine/container-report.ts';
import type { FakeLine } from '../../../../../../test/support/ui/worker/fake-line.ts';
import { FakeServer } from '../../../../../../test/support/ui/worker/fake-server.ts';
import { SessionDriver } from '../../../../../../test/support/ui/worker/session-driver.ts';
// Preloads a module that loads on demand: the fake clock would run on meanwhile.
import './late-lines.ts';

const START = 1_800_000_000;
const line = (index: number, container: string): FakeLine => ({
  seconds: START + Math.floor(index / 10),
  nanos: (index % 10) * 1e8,
  container,
  text: `${container} ${index}`,
});

/** Opens a session on two containers that write in turn, with their newest 1,000 lines held. */
async function openDriver(count = 4_000): Promise<SessionDriver> {
  const server = new FakeServer();
  for (let index = 0; index < count; index++)
    server.lines.push(line(index, index % 2 === 0 ? 'web/a' : 'web/b'));
  const driver = new SessionDriver(undefined, server);
  await driver.open();
  return driver;
}
const markers = (driver: SessionDriver) =>
  driver.rows().flatMap((row) => (row.kind === 'marker' ? [row.text] : []));
const problems = (driver: SessionDriver) => driver.last('problem').problems;
const broken = { code: 'server-error', data: { server: 'https://shop', why: 'etcd is slow (500)' } };

test('if a page cannot read a container, a row says so before its lines, and a problem until a page can', async () => {
  const driver = await openDriver(8_000);
  driver.server.failing.set('web/b', broken);
  await driver.send({ type: 'load', what: 'older' });
  const text = 'web/b/app · lines are missing here: etcd is slow (500)';
  expect(markers(driver)).toEqual([text]);
  expect(driver.rows()[0]).toMatchObject({ kind: 'marker', text, isWarning: true });
  expect(driver.rows()[1]).toMatchObject({ text: 'web/a 5000' });
  expect(problems(driver)).toMatchObject([{ error: broken }]);
  // Only the problem, not a row, reports the next page that lacks the container too.
  await driver.send({ type: 'load', what: 'older' });
  expect(markers(driver)).toEqual([text]);
  driver.server.failing.clear();
  await driver.jump({ at: 'start' });
  expect(problems(driver)).toEqual([]);
});

test('does not report a container that the view cannot read with every page', async () => {
  const driver = await openDriver();
  driver.server.streams[0]?.push([{ type: 'state', q: 0, source: 1, state: 'failed', error: broken }]);
  await driver.settle();
  const before = markers(driver);
  driver.server.failing.set('web/b', broken);
  await driver.send({ type: 'load', what: 'older' });
  expect(markers(driver)).toEqual(before);
  expect(problems(driver)).toHaveLength(1);
});

test('a jump to an unreadable time reports why', async () => {
  const driver = await openDriver();
  driver.server.failing.set('web/a', broken).set('web/b', broken);
  await driver.jump({ at: 'start' });
  expect(markers(driver)).toEqual(['web/a/app, web/b/app · lines are missing here: etcd is slow (500)']);
});

test('gaps are rows, once each; what lies before the log of a node is none', async () => {
  const driver = await openDriver();
  const to = '2027-01-15T08:00:00Z';
  driver.server.reporting = [
    { type: 'gap', q: 0, source: 0, to, cause: { code: 'begins-late', data: {} } },
    { type: 'notice', q: 0, code: 'cluster-away', data: { why: 'no route' } },
    { type: 'gap', q: 0, source: 0, from: '2027-01-15T08:04:50Z', cause: { code: 'rotated', data: {} } },
  ];
  for (let pages = 0; pages < 2; pages++) await driver.send({ type: 'load', what: 'older' });
  expect(markers(driver)).toEqual([expect.stringMatching('lines may be missing')]);
  const { status } = driver.last('status');
  expect(status).toMatchObject({ lostBeginnings: 1, lostOnNodes: ['node-1'] });
});

test('a gap that begins before what is loaded and reaches into it has a row at its begin', async () => {
  const driver = await openDriver();
  const first = driver.rows()[0];
  expect(first).toMatchObject({ kind: 'line', seconds: START + 300 });
  const span = { from: '2027-01-15T08:04:00Z', to: '2027-01-15T08:05:30Z' };
  driver.server.streams[0]?.push([
    { type: 'gap', q: 0, source: 0, ...span, cause: { code: 'run-begins-late', data: {} } },
    { type: 'gap', q: 0, source: 1, from: span.from, to: span.from, cause: { code: 'rotated', data: {} } },
  ]);
  await driver.settle();
  expect(driver.rows().findIndex(({ kind }) => kind === 'marker')).toBeLessThanOrEqual(1);
  expect(markers(driver)).toEqual([expect.stringMatching('web/a/app · lines may be missing')]);
  const { gaps } = driver.ask({ type: 'histogram', buckets: 60 }, 'histogram')?.histogram ?? {};
  expect(gaps?.[0]?.first).toBe(0);
});

test('a source that is added to a past view and does not exist is a problem', async () => {
  const driver = await openDriver();
  await driver.open({ from: { kind: 'inclusive', at: '2027-01-15T08:00:00Z' } });
  const error = {
    code: 'not-found',
    data: { server: 'https://shop', why: 'deployments.apps "nothere" not found' },
  };
  driver.server.reporting = [{ type: 'notice', q: 0, code: 'source-failed', error }];
  await driver.open({ from: { kind: 'inclusive', at: '2027-01-15T08:00:00Z' }, sources: ['web', 'nothere'] });
  await expect
    .poll(async () => {
      await driver.settle();
      return problems(driver);
    })
    .toMatchObject([{ error }]);
});

test('among hits too, a row says where lines are missing', async () => {
  const driver = await openDriver(8_000);
  driver.server.failing.set('web/b', broken);
  await driver.send({ type: 'load', what: 'older' });
  const shown = markers(driver);
  expect(shown).toHaveLength(1);
  const plan = { text: 'web/a 7', regex: false, matchCase: false, wholeWord: false, only: true };
  await driver.send({ type: 'search', plan });
  expect(markers(driver)).toEqual(shown);
});

test('a page without containers that the stream has lost is no beginning, and has their lines once they are back', async () => {
  const driver = await openDriver(3_000);
  const { server } = driver;
  const [stream] = server.streams;
  const lost = { code: 'server-unreachable', data: { cause: 'it ended' } };
  for (const [container, source] of stream!.indexes) {
    stream!.push([{ type: 'state', q: 0, source, ...sourceState('reconnecting', '', lost) }]);
    server.failing.set(container, lost);
  }
  await driver.settle();
  await driver.send({ type: 'load', what: 'older' });
  expect(driver.texts()).toHaveLength(1_000);
  expect(driver.last('status').status.atBeginning).toBe(false);
  server.failing.clear();
  for (let turn = 0; turn < 20 && driver.texts().length < 3_000; turn++) {
    await driver.clock.advance(2_000);
    await driver.settle();
    await driver.send({ type: 'load', what: 'older' });
  }
  expect(driver.texts()).toEqual(server.lines.map(({ text }) => text));
  expect(driver.last('status').status.atBeginning).toBe(true);
});
