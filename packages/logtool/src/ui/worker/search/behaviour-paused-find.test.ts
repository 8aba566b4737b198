import { expect, test } from 'vitest';
import { FakeServer } from '../../../../../../test/support/ui/worker/fake-server.ts';
import { SessionDriver } from '../../../../../../test/support/ui/worker/session-driver.ts';

/* A paused view adds no row by itself, but what a person asks for is shown, and nothing that arrived is denied. */

const REFUSED = { text: 'refused', matchCase: false, wholeWord: false, regex: false, only: false };

function write(driver: SessionDriver, ...texts: readonly string[]): void {
  for (const text of texts) {
    const seconds = Math.floor(driver.clock.now() / 1000);
    driver.server.write({ seconds, nanos: 0, container: 'web/a', text });
  }
}

/** A view of two lines that was paused, and the lines that arrived since. */
async function paused(...arrived: readonly string[]): Promise<SessionDriver> {
  const driver = new SessionDriver(undefined, new FakeServer());
  write(driver, 'INFO one', 'ERROR two');
  await driver.open();
  await driver.send({ type: 'pause', paused: true });
  write(driver, ...arrived);
  await driver.settle();
  expect(driver.texts()).toEqual(['INFO one', 'ERROR two']);
  return driver;
}

const findFrom = async (
  driver: SessionDriver,
  at: number,
  direction: 'next' | 'previous',
  what: 'error' | 'hit',
) => {
  const from = driver.rows().at(at)?.entry;
  const found = await driver.find({ from, direction, what });
  await driver.settle();
  const row = driver.rows().find(({ entry }) => entry === found.entry);
  return { isExact: found.isExact, text: row?.kind === 'line' ? row.text : undefined };
};

test('the next error is shown if it arrived since the pause, and later lines stay hidden', async () => {
  const driver = await paused('INFO three', 'ERROR four');
  expect(await findFrom(driver, -1, 'next', 'error')).toEqual({ isExact: true, text: 'ERROR four' });
  expect(driver.texts()).toEqual(['INFO one', 'ERROR two', 'INFO three', 'ERROR four']);
  write(driver, 'ERROR five');
  await driver.settle();
  expect(driver.texts()).toHaveLength(4);
  expect(driver.last('status').status.pausedLines).toBe(1);
  await driver.send({ type: 'pause', paused: false });
  expect(driver.texts()).toHaveLength(5);
});

test('the next hit is shown if it arrived since the pause', async () => {
  const driver = await paused('INFO three', 'INFO refused');
  await driver.send({ type: 'search', plan: REFUSED });
  await driver.settle();
  expect(await findFrom(driver, -1, 'next', 'hit')).toEqual({ isExact: true, text: 'INFO refused' });
});

test('an error that is shown is the next one: the lines that wait stay hidden', async () => {
  const driver = await paused('ERROR three');
  expect(await findFrom(driver, 0, 'next', 'error')).toEqual({ isExact: true, text: 'ERROR two' });
  expect(await findFrom(driver, 0, 'previous', 'error')).toEqual({ isExact: true, text: undefined });
  expect(driver.texts()).toEqual(['INFO one', 'ERROR two']);
});

test('the chart counts the lines that wait', async () => {
  const driver = await paused('INFO three', 'ERROR four');
  const { histogram } = driver.ask({ type: 'histogram', buckets: 10 }, 'histogram') ?? {};
  const sum = (counts: readonly number[] = []) => counts.reduce((all, count) => all + count, 0);
  expect([sum(histogram?.errors), sum(histogram?.others)]).toEqual([2, 2]);
});

test('where no error waits, the lines that wait stay hidden', async () => {
  const driver = await paused('INFO three');
  expect(await findFrom(driver, -1, 'next', 'error')).toEqual({ isExact: true, text: undefined });
  expect(driver.texts()).toEqual(['INFO one', 'ERROR two']);
});

test('a list without a row shows the newest line that waits, if it is asked for', async () => {
  const driver = await paused('INFO refused');
  await driver.send({ type: 'search', plan: { ...REFUSED, only: true } });
  await driver.settle();
  expect(driver.texts()).toEqual([]);
  const { entry } = await driver.showMatch();
  expect(entry).toBeDefined();
  expect(driver.texts()).toEqual(['INFO refused']);
});
