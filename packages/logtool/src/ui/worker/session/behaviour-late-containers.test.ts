import { expect, test } from 'vitest';
import type { FakeLine } from '../../../../../../test/support/ui/worker/fake-line.ts';
import { FakeServer } from '../../../../../../test/support/ui/worker/fake-server.ts';
import { SessionDriver } from '../../../../../../test/support/ui/worker/session-driver.ts';

const START = 1_800_000_000;
const CONTAINERS = ['web/a', 'web/b', 'web/c'] as const;

/** Opens a session on the log of three containers that write in turn, some of which do not answer. */
async function openLate(silent: readonly string[], lines = 1_800): Promise<SessionDriver> {
  const server = new FakeServer();
  for (const container of silent) server.silent.add(container);
  const driver = new SessionDriver(undefined, server);
  for (let index = 0; index < lines; index++) server.write(lineAt(index));
  await driver.open();
  return driver;
}

function lineAt(index: number): FakeLine {
  const container = CONTAINERS[index % 3] ?? 'web/a';
  return { seconds: START + index, nanos: 0, container, text: `${container} ${index}` };
}

const statusOf = (driver: SessionDriver) => driver.last('status').status;
const textsOf = (driver: SessionDriver, from: number, isShown: (container: string) => boolean) =>
  driver.server.lines
    .filter(({ container, seconds }) => seconds >= START + from && isShown(container))
    .map(({ text }) => text);

test('lines of those that answered come at once, and the late one is inserted where its lines belong', async () => {
  const driver = await openLate(['web/b']);
  const first = driver.server.lines.findIndex(({ text }) => text === driver.texts()[0]);
  expect(driver.texts()).toHaveLength(1_000);
  expect(driver.texts()).toEqual(textsOf(driver, first, (container) => container !== 'web/b'));
  expect(statusOf(driver)).toMatchObject({
    atBeginning: false,
    unanswered: { ids: ['web/b'], node: 'node-1', sinceMs: driver.clock.now() - 1_120 },
  });
  expect(driver.last('sources').sources.map(({ id, condition }) => [id, condition.kind])).toEqual(
    expect.arrayContaining([
      ['web/a', 'running'],
      ['web/b', 'unanswered'],
    ]),
  );
  driver.server.write(lineAt(1_800));
  await driver.settle();
  driver.server.answer('web/b');
  await driver.settle();
  expect(driver.texts()).toEqual(textsOf(driver, first, () => true));
  expect(statusOf(driver)).toMatchObject({ atBeginning: false, unanswered: undefined });
  await driver.send({ type: 'load', what: 'older' });
  expect(driver.texts()).toEqual(textsOf(driver, 0, () => true));
  expect(statusOf(driver).atBeginning).toBe(true);
});

test('no time of the chart is read while a container has not answered', async () => {
  const driver = await openLate(['web/b'], 9);
  const unread = () => driver.ask({ type: 'histogram', buckets: 60 }, 'histogram')?.histogram.unread ?? [];
  expect(unread().length).toBeGreaterThan(3);
  expect(new Set(unread())).toEqual(new Set([true]));
  driver.server.answer('web/b');
  await driver.settle();
  await driver.send({ type: 'load', what: 'older' });
  expect(unread()).not.toContain(true);
});

test('does not show the beginning of a short log while a container may have earlier lines', async () => {
  const driver = await openLate(['web/a'], 9);
  expect(driver.texts()).toEqual(textsOf(driver, 0, (container) => container !== 'web/a'));
  expect(statusOf(driver).atBeginning).toBe(false);
  driver.server.answer('web/a');
  await driver.settle();
  await driver.send({ type: 'load', what: 'older' });
  expect(driver.texts()).toEqual(textsOf(driver, 0, () => true));
  expect(statusOf(driver).atBeginning).toBe(true);
});

test('a search reports how far back it went only once every container has answered', async () => {
  const driver = await openLate(['web/b']);
  await driver.send({
    type: 'search',
    plan: { text: 'web/b', matchCase: true, wholeWord: false, regex: false, only: false },
  });
  await driver.settle();
  expect(statusOf(driver).search).toMatchObject({ state: 'done', hits: 0, searchedBackTo: undefined });
  driver.server.answer('web/b');
  await driver.settle();
  const first = driver.server.lines.find(({ text }) => text === driver.texts()[0]);
  expect(statusOf(driver).search).toMatchObject({ state: 'done', searchedBackTo: first?.seconds });
  expect(statusOf(driver).search.hits).toBeGreaterThan(0);
});

test('does not wait for a container that the facets exclude', async () => {
  const driver = await openLate(['web/b'], 9);
  await driver.send({
    type: 'facets',
    filter: { include: {}, exclude: { container: ['web/b'] }, fields: [] },
  });
  expect(statusOf(driver).unanswered).toBeUndefined();
  expect(statusOf(driver).atBeginning).toBe(false);
});

test('a new connection asks again, and reports again who does not answer', async () => {
  const driver = await openLate(['web/b'], 9);
  driver.server.cut();
  await driver.clock.advance(6_000);
  await driver.settle();
  expect(statusOf(driver).unanswered?.ids).toEqual(['web/b']);
  driver.server.answer('web/b');
  await driver.settle();
  expect(statusOf(driver).unanswered).toBeUndefined();
  expect(driver.texts()).toEqual(textsOf(driver, 0, () => true));
});

test('a range that ends is shown without a late container, and its lines are inserted when it answers', async () => {
  // Preloads the module, so that loading it on demand takes no time on the fake clock.
  await import('../intake/late-lines.ts');
  const server = new FakeServer();
  server.silent.add('web/b');
  const driver = new SessionDriver(undefined, server);
  for (let index = 0; index < 90; index++) server.write(lineAt(index));
  const to = { kind: 'strict', at: '2027-01-15T08:01:20Z' } as const;
  await driver.open({ to, follow: false });
  const inRange = (isShown: (container: string) => boolean) =>
    textsOf(driver, 0, isShown).filter((text) => Number(text.split(' ')[1]) < 80);
  expect(driver.texts()).toEqual(inRange((container) => container !== 'web/b'));
  expect(statusOf(driver)).toMatchObject({ atBeginning: false, unanswered: { ids: ['web/b'] } });
  server.answer('web/b');
  await driver.settle();
  expect(driver.texts()).toEqual(inRange(() => true));
  expect(statusOf(driver).unanswered).toBeUndefined();
  expect(driver.last('sources').sources.map(({ isRemoved }) => isRemoved)).not.toContain(true);
});
