import { expect, test } from 'vitest';
import { FakeServer } from '../testing/fake-server.ts';
import { SessionDriver } from '../testing/session-driver.ts';

const START = 1_800_000_000;
const RANGE = {
  from: { kind: 'inclusive', at: '2027-01-15T08:00:00Z' },
  to: { kind: 'inclusive', at: '2027-01-15T10:00:00Z' },
  opensAt: 'end',
  follow: false,
} as const;

function serverOf(count: number, errors: readonly number[]): FakeServer {
  const server = new FakeServer();
  for (let index = 0; index < count; index++)
    server.lines.push({
      seconds: START + index,
      nanos: 0,
      container: index % 2 === 0 ? 'web/a' : 'web/b',
      text: errors.includes(index) ? `ERROR at ${index}` : `INFO at ${index}`,
    });
  return server;
}

/** A range of which only the first and the last thousand lines are held. */
async function withGap(errors: readonly number[]): Promise<SessionDriver> {
  const driver = new SessionDriver(undefined, serverOf(6_000, errors));
  await driver.open(RANGE);
  await driver.jump({ at: 'start' });
  expect(driver.texts()).toHaveLength(2_001);
  return driver;
}

const errorFrom = async (driver: SessionDriver, at: 'start' | 'end', direction: 'next' | 'previous') => {
  const from = driver.rows().at(at === 'start' ? 0 : -1)?.entry;
  const found = await driver.find({ from, direction, what: 'error' });
  const row = driver.rows().find(({ entry }) => entry === found.entry);
  return { ...found, text: row?.kind === 'line' ? row.text : undefined };
};

test('the next error is the next one of the log, not of what is loaded', async () => {
  const driver = await withGap([3_000, 3_001, 5_500]);
  expect(await errorFrom(driver, 'start', 'next')).toMatchObject({ text: 'ERROR at 3000', isExact: true });
});

test('so is the one before', async () => {
  const driver = await withGap([500, 3_000, 3_001]);
  expect(await errorFrom(driver, 'end', 'previous')).toMatchObject({ text: 'ERROR at 3001', isExact: true });
});

test('a place that has none is passed, once it was read', async () => {
  const driver = await withGap([5_500]);
  expect(await errorFrom(driver, 'start', 'next')).toMatchObject({ text: 'ERROR at 5500', isExact: true });
  expect(driver.texts()).toHaveLength(2_001);
});

test('a place that could not be read is not leapt', async () => {
  const driver = await withGap([5_500]);
  driver.server.scanLimit = 100;
  expect(await errorFrom(driver, 'start', 'next')).toMatchObject({ entry: undefined, isExact: false });
});

test('what facets hide is not found in a place that is not loaded either', async () => {
  const driver = await withGap([3_000, 3_001, 5_501]);
  await driver.send({
    type: 'facets',
    filter: { include: {}, exclude: { container: ['web/a'] }, fields: [] },
  });
  expect(await errorFrom(driver, 'start', 'next')).toMatchObject({ text: 'ERROR at 3001' });
});

test('the newest line that passes the filters is loaded, wherever it is', async () => {
  const driver = await withGap([3_000, 3_100]);
  await driver.send({ type: 'facets', filter: { include: { level: ['error'] }, exclude: {}, fields: [] } });
  expect(driver.texts().filter((text) => text.includes('at'))).toEqual([]);
  await driver.send({ type: 'show-match' });
  expect(driver.texts()).toContain('ERROR at 3100');
});
