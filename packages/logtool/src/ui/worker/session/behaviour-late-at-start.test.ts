import { expect, test } from 'vitest';
import type { FakeLine } from '../../../../../../test/support/ui/worker/fake-line.ts';
import { FakeServer } from '../../../../../../test/support/ui/worker/fake-server.ts';
import { SessionDriver } from '../../../../../../test/support/ui/worker/session-driver.ts';
// Preloads a module that loads on demand: the fake clock would run on meanwhile.
import '../intake/late-lines.ts';

const START = 1_800_000_000;
const FROM = { kind: 'inclusive', at: '2027-01-15T08:00:00Z' } as const;
const TO = { kind: 'inclusive', at: '2027-01-15T10:00:00Z' } as const;
const line = (index: number, container: string): FakeLine => ({
  seconds: START + index,
  nanos: 0,
  container,
  text: `${container} ${index}`,
});

/** Two containers that write in turn, one of which does not answer. */
function serverOf(count: number): FakeServer {
  const server = new FakeServer();
  for (let index = 0; index < count; index++)
    server.lines.push(line(index, index % 2 === 0 ? 'web/slow' : 'web/a'));
  server.silent.add('web/slow');
  return server;
}
/** Lets the container answer, and waits until the page has taken that in. */
async function answer(driver: SessionDriver): Promise<void> {
  driver.server.answer('web/slow');
  for (let turn = 0; turn < 20 && unanswered(driver) !== undefined; turn++) {
    await driver.clock.advance(200);
    await driver.settle();
  }
  await driver.settle();
}
const unanswered = (driver: SessionDriver) => driver.last('status').status.unanswered?.ids;

test('a range opens at its start with those that have answered, and takes the others between its ends', async () => {
  const driver = new SessionDriver(undefined, serverOf(400));
  await driver.open({ from: FROM, to: TO, opensAt: 'start', follow: false });
  await driver.clock.advance(2_000);
  await driver.settle();
  expect(driver.texts()).toHaveLength(200);
  expect(unanswered(driver)).toEqual(['web/slow']);
  expect(driver.last('status').status.atBeginning).toBe(false);
  await answer(driver);
  expect(unanswered(driver)).toBeUndefined();
  expect(driver.texts()).toEqual(Array.from({ length: 400 }, (_, index) => driver.server.lines[index]?.text));
});

test('inserts late lines beyond the first page into the loaded ones, and loads further pages after them', async () => {
  const driver = new SessionDriver(undefined, serverOf(5_000));
  await driver.open({ from: FROM, opensAt: 'start' });
  await driver.clock.advance(2_000);
  await driver.settle();
  expect(driver.texts()).toHaveLength(1_000);
  expect(unanswered(driver)).toEqual(['web/slow']);
  await answer(driver);
  expect(unanswered(driver)).toBeUndefined();
  const held = driver.texts().length;
  expect(held).toBeGreaterThanOrEqual(1_999);
  expect(driver.texts()).toEqual(driver.server.lines.slice(0, held).map(({ text }) => text));
  await driver.send({ type: 'load', what: 'newer' });
  expect(driver.texts()).toEqual(driver.server.lines.slice(0, held + 1_000).map(({ text }) => text));
});

test('a reconnection does not count containers that have not answered as answered', async () => {
  const driver = new SessionDriver(undefined, serverOf(400));
  await driver.open({});
  await driver.clock.advance(2_000);
  await driver.settle();
  expect(unanswered(driver)).toEqual(['web/slow']);
  const from = driver.sent.length;
  driver.server.cut();
  await driver.clock.advance(10_000);
  await driver.settle();
  for (const message of driver.sent.slice(from))
    if (message.type === 'status') expect(message.status.unanswered?.ids).toEqual(['web/slow']);
  await answer(driver);
  expect(unanswered(driver)).toBeUndefined();
});

test('a container that answers late with an unreadable log stays in the view', async () => {
  const driver = new SessionDriver(undefined, serverOf(400));
  await driver.open({ from: FROM, to: TO, opensAt: 'start', follow: false });
  await driver.clock.advance(2_000);
  await driver.settle();
  driver.server.failing.set('web/slow', { code: 'forbidden', data: { why: 'no' } });
  await answer(driver);
  const [slow] = driver.last('sources').sources.filter(({ id }) => id === 'web/slow');
  expect(slow).toMatchObject({ arguments: ['web'], isRemoved: false, condition: { kind: 'forbidden' } });
});

test('a quiet time up to now is followed although one container does not answer', async () => {
  const driver = new SessionDriver(undefined, serverOf(400));
  await driver.open({ from: { kind: 'inclusive', at: '2027-01-15T09:00:00Z' }, opensAt: 'start' });
  await driver.clock.advance(2_000);
  await driver.settle();
  expect(driver.texts()).toEqual([]);
  driver.server.write(line(4_000, 'web/slow'));
  driver.server.write(line(4_001, 'web/a'));
  await driver.clock.advance(2_000);
  await driver.settle();
  expect(driver.texts()).toEqual(['web/a 4001']);
  expect(unanswered(driver)).toEqual(['web/slow']);
  await answer(driver);
  expect(driver.texts()).toEqual(['web/slow 4000', 'web/a 4001']);
});

test('a time up to now is followed without those that have not answered, and takes them from that time on', async () => {
  const driver = new SessionDriver(undefined, serverOf(400));
  await driver.open({ from: FROM, opensAt: 'start' });
  await driver.clock.advance(2_000);
  await driver.settle();
  driver.server.write(line(401, 'web/a'));
  await driver.clock.advance(2_000);
  await driver.settle();
  expect(driver.texts()).toHaveLength(201);
  expect(unanswered(driver)).toEqual(['web/slow']);
  await answer(driver);
  expect(driver.texts()).toEqual(driver.server.lines.map(({ text }) => text));
});

test.each([
  ['a range', { from: FROM, to: TO, opensAt: 'end', follow: false }],
  ['all logs', {}],
] as const)('a container that answers late is counted in %s too', async (_, plan) => {
  const driver = new SessionDriver(undefined, serverOf(4_000));
  await driver.open(plan);
  await driver.clock.advance(3_000);
  await driver.settle();
  const scan = () => driver.last('status').status.scan;
  expect(scan()).toMatchObject({ state: 'stopped', incomplete: 1 });
  expect(driver.server.scans).toHaveLength(1);
  await answer(driver);
  await driver.clock.advance(2_000);
  await driver.settle();
  expect(driver.server.scans).toHaveLength(2);
  expect(scan()).toMatchObject({ state: 'done', lines: 4_000, incomplete: 0 });
  expect(driver.last('facets').facets.container).toEqual({ 'web/a': 2_000, 'web/slow': 2_000 });
});

test('a count whose bytes are used up does not continue for a container that answers late', async () => {
  const server = serverOf(4_000);
  server.scanLimit = 1_000;
  const driver = new SessionDriver(undefined, server);
  await driver.open({ from: FROM, to: TO, opensAt: 'end', follow: false });
  await driver.clock.advance(3_000);
  await driver.settle();
  await answer(driver);
  await driver.clock.advance(2_000);
  await driver.settle();
  expect(server.scans).toHaveLength(1);
  expect(driver.last('status').status.scan).toMatchObject({ state: 'stopped' });
});
