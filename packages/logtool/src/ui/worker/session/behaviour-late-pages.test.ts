import { expect, test } from 'vitest';
import type { FakeLine } from '../../../../../../test/support/ui/worker/fake-line.ts';
import { FakeServer } from '../../../../../../test/support/ui/worker/fake-server.ts';
import { SessionDriver } from '../../../../../../test/support/ui/worker/session-driver.ts';
import { ApiError } from '../../../contract/client.ts';
// Preloads a module that loads on demand: the fake clock would run on meanwhile.
import '../intake/late-lines.ts';

const START = 1_800_000_000;
const FROM = { kind: 'inclusive', at: '2027-01-15T08:00:00Z' } as const;
const CONTAINERS = ['web/a', 'web/b', 'web/c'] as const;

/** A line of a log of three containers that write in turn; `same`: the number of lines with one time. */
function lineAt(index: number, same = 1): FakeLine {
  const container = CONTAINERS[index % 3] ?? 'web/a';
  return { seconds: START + Math.floor(index / same), nanos: 0, container, text: `${container} ${index}` };
}

function driverOf(count: number, same = 1): SessionDriver {
  const server = new FakeServer();
  for (let index = 0; index < count; index++) server.write(lineAt(index, same));
  return new SessionDriver(undefined, server);
}

const statusOf = (driver: SessionDriver) => driver.last('status').status;
const lateOf = (driver: SessionDriver) => statusOf(driver).unanswered?.ids;
const allOf = ({ server }: SessionDriver, isShown: (line: FakeLine) => boolean = () => true) =>
  server.lines.filter(isShown).map(({ text }) => text);
const scrollToTop = async (driver: SessionDriver) => {
  const entry = driver.rows()[0]?.entry ?? -1;
  await driver.send({ type: 'viewport', first: entry, last: entry });
};

test('an older page loads without a container that hangs, and gets its lines when it answers', async () => {
  const driver = driverOf(4_000);
  await driver.open();
  driver.server.slow.add('web/b');
  await scrollToTop(driver);
  const opened = allOf(driver).slice(-1_000);
  const older = allOf(driver).slice(0, -1_000);
  const isOfB = (text: string) => text.startsWith('web/b');
  expect(driver.texts()).toEqual([...older.filter((text) => !isOfB(text)).slice(-1_000), ...opened]);
  expect(statusOf(driver)).toMatchObject({
    loading: 'none',
    atBeginning: false,
    unanswered: { ids: ['web/b'], node: 'node-1', sinceMs: expect.any(Number) },
  });
  const conditions = driver.last('sources').sources.map(({ id, condition }) => [id, condition.kind]);
  expect(conditions).toContainEqual(['web/b', 'unanswered']);
  driver.server.answer('web/b');
  await driver.settle();
  expect(lateOf(driver)).toBeUndefined();
  expect(driver.texts()).toEqual(allOf(driver).slice(-driver.texts().length));
  expect(driver.texts()).toHaveLength(2_500);
  await scrollToTop(driver);
  await scrollToTop(driver);
  expect(driver.texts()).toEqual(allOf(driver));
  expect(statusOf(driver).atBeginning).toBe(true);
});

test('does not show the beginning of the log while a container may have earlier lines, and loads further pages', async () => {
  const driver = driverOf(2_100);
  await driver.open();
  driver.server.slow.add('web/b');
  for (let page = 0; page < 3; page++) await driver.send({ type: 'load', what: 'older' });
  const read = allOf(driver).slice(0, -1_000);
  const shown = [...read.filter((text) => !text.startsWith('web/b')), ...allOf(driver).slice(-1_000)];
  expect(driver.texts()).toEqual(shown);
  expect(statusOf(driver)).toMatchObject({ loading: 'none', atBeginning: false });
  const [end] = driver.rows({ at: 'end' }, 1).slice(-1);
  const { entry } = await driver.jump({ at: 'end' });
  expect(entry).toBe(end?.entry);
  driver.server.answer('web/b');
  await driver.settle();
  expect(driver.texts()).toEqual(allOf(driver));
  expect(statusOf(driver)).toMatchObject({ atBeginning: true, unanswered: undefined });
});

test('a newer page that ends among lines of one time contains each line once', async () => {
  const driver = driverOf(4_000, 7);
  await driver.open({ from: FROM, opensAt: 'start' });
  expect(driver.texts()).toEqual(allOf(driver).slice(0, 1_000));
  driver.server.slow.add('web/c');
  await driver.send({ type: 'load', what: 'newer' });
  expect(lateOf(driver)).toEqual(['web/c']);
  const texts = driver.texts();
  expect(texts.length).toBeGreaterThan(1_600);
  expect(texts.slice(1_000).some((text) => text.startsWith('web/c'))).toBe(false);
  driver.server.answer('web/c');
  await driver.settle();
  expect(driver.texts()).toEqual(allOf(driver).slice(0, driver.texts().length));
  expect(driver.texts().length).toBeGreaterThan(texts.length + 300);
  for (let page = 0; page < 3; page++) await driver.send({ type: 'load', what: 'newer' });
  expect(driver.texts()).toEqual(allOf(driver));
});

test('of several containers that hang, each gets its lines when it answers', async () => {
  const driver = driverOf(2_400);
  await driver.open();
  driver.server.slow.add('web/b').add('web/c');
  for (let page = 0; page < 3; page++) await driver.send({ type: 'load', what: 'older' });
  expect(lateOf(driver)?.toSorted()).toEqual(['web/b', 'web/c']);
  driver.server.answer('web/c');
  await driver.settle();
  expect(lateOf(driver)).toEqual(['web/b']);
  const isLate = (text: string, index: number) => index < 1_400 && text.startsWith('web/b');
  expect(driver.texts()).toEqual(allOf(driver).filter((text, index) => !isLate(text, index)));
  driver.server.answer('web/b');
  await driver.settle();
  expect(driver.texts()).toEqual(allOf(driver));
});

test('the line of a link is sought until its container has answered', async () => {
  const driver = driverOf(3_000);
  await driver.open();
  driver.server.slow.add('web/b');
  const line = driver.server.lines[1];
  const jump = driver.jump({ at: 'line', link: `2027-01-15T08:00:01.000000000Z~0~web/b/run` });
  await driver.settle();
  expect(driver.sent.some(({ type }) => type === 'jumped')).toBe(false);
  driver.server.answer('web/b');
  const { entry } = await jump;
  expect(driver.rows({ at: 'entry', entry: entry ?? -1 }, 1)[0]).toMatchObject({ text: line?.text });
});

test('does not wait for a container that is left out', async () => {
  const server = new FakeServer();
  for (let index = 0; index < 2_400; index++)
    server.write({ ...lineAt(index), container: index % 2 === 0 ? 'web/a' : 'api/b' });
  const driver = new SessionDriver(undefined, server);
  await driver.open({ sources: ['web', 'api'] });
  server.slow.add('api/b');
  await driver.send({ type: 'load', what: 'older' });
  expect(lateOf(driver)).toEqual(['api/b']);
  await driver.open({ sources: ['web'] });
  expect(lateOf(driver)).toBeUndefined();
  for (let page = 0; page < 2; page++) await driver.send({ type: 'load', what: 'older' });
  expect(driver.texts()).toEqual(allOf(driver, ({ container }) => container === 'web/a'));
  expect(statusOf(driver).atBeginning).toBe(true);
});

test('does not report that a search has no result while a container hangs', async () => {
  const driver = driverOf(1_500);
  await driver.open();
  driver.server.slow.add('web/b');
  await driver.send({ type: 'load', what: 'older' });
  const first = driver.rows()[0]?.entry ?? -1;
  const found = await driver.find({ from: first, direction: 'previous', what: 'error' });
  expect(found).toMatchObject({ entry: undefined, isExact: false });
});

test('a cluster that goes away while a container is waited for is asked again', async () => {
  const driver = driverOf(2_400);
  await driver.open();
  driver.server.slow.add('web/b').add('web/c');
  for (let page = 0; page < 3; page++) await driver.send({ type: 'load', what: 'older' });
  driver.server.refuse = new ApiError(502, { code: 'connection-lost', data: { cause: 'reset' } });
  driver.server.answer('web/c');
  await driver.settle();
  expect(lateOf(driver)).toEqual(['web/b']);
  driver.server.refuse = undefined;
  driver.server.answer('web/b');
  await driver.clock.advance(2_000);
  await driver.settle();
  expect(lateOf(driver)).toBeUndefined();
  expect(driver.texts()).toEqual(allOf(driver));
});
