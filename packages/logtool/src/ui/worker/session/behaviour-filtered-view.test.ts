import { expect, test } from 'vitest';
import type { FakeLine } from '../../../../../../test/support/ui/worker/fake-line.ts';
import { FakeServer } from '../../../../../../test/support/ui/worker/fake-server.ts';
import { SessionDriver } from '../../../../../../test/support/ui/worker/session-driver.ts';
import { ApiError } from '../../../contract/client.ts';

const START = 1_800_000_000;
const ERRORS = { include: { level: ['error'] }, exclude: {}, fields: [] };
const RANGE = {
  from: { kind: 'inclusive', at: '2027-01-15T08:00:00Z' },
  to: { kind: 'inclusive', at: '2027-01-16T08:00:00Z' },
} as const;

/** One line a second; every `each`-th is an error. */
function serverOf(count: number, each: number): FakeServer {
  const server = new FakeServer();
  for (let index = 0; index < count; index++) {
    const text = index % each === each - 1 ? `ERROR ${index}` : `INFO ${index}`;
    const line: FakeLine = { container: 'web/a', seconds: START + index, nanos: 0, text };
    server.lines.push(line);
  }
  return server;
}

const SCREEN_ROWS = 40;

/** Reports a screen of the view as that of the reader until nothing more is loaded. Returns the number of errors. */
async function show(driver: SessionDriver, at: 'start' | 'end', isByReader = false): Promise<number> {
  let isMoved = isByReader;
  for (let lines = -1; lines !== driver.last('status').status.lines; ) {
    ({ lines } = driver.last('status').status);
    const rows = driver.rows();
    const seen = at === 'start' ? rows.slice(0, SCREEN_ROWS) : rows.slice(-SCREEN_ROWS);
    const [first, last] = [seen[0]?.entry, seen.at(-1)?.entry];
    if (first !== undefined && last !== undefined)
      await driver.send({ type: 'viewport', first, last, ...(isMoved ? { isByReader } : {}) });
    isMoved = false;
    for (let turn = 0; turn < 3; turn++) await driver.settle();
  }
  return driver.texts().filter((text) => text.startsWith('ERROR')).length;
}

test('a list of few rows loads on until it fills, and at the next gesture further', async () => {
  const driver = new SessionDriver(undefined, serverOf(60_000, 1_000));
  await driver.open({ ...RANGE, follow: false });
  await driver.send({ type: 'facets', filter: ERRORS });
  // 1,000 lines when it opened, and the 20,000 of the gesture.
  expect(await show(driver, 'start')).toBe(21);
  expect(driver.last('status').status).toMatchObject({ atBeginning: true, atEnd: false, lines: 21_000 });
  await driver.send({ type: 'load', what: 'newer' });
  expect(await show(driver, 'start')).toBe(41);
  expect(await show(driver, 'start', true)).toBe(60);
  expect(driver.last('status').status).toMatchObject({ atEnd: true, lines: 60_000 });
});

test('a list at the newest lines fills from above, and lines that arrive load nothing', async () => {
  const driver = new SessionDriver(undefined, serverOf(60_000, 1_000));
  await driver.open();
  await driver.send({ type: 'facets', filter: ERRORS });
  expect(await show(driver, 'end')).toBe(21);
  for (let index = 60_000; index < 60_010; index++) {
    driver.server.write({ container: 'web/a', seconds: START + index, nanos: 0, text: `ERROR ${index}` });
    await driver.settle();
    await show(driver, 'end');
  }
  expect(driver.last('status').status).toMatchObject({ lines: 21_010, atBeginning: false });
  expect(await show(driver, 'end', true)).toBe(51);
});

test('a full list loads nothing beyond, and a list of a search fills as one of a facet', async () => {
  const driver = new SessionDriver(undefined, serverOf(60_000, 10));
  await driver.open({ ...RANGE, follow: false });
  const plan = { text: 'error', matchCase: false, wholeWord: false, regex: false, only: true };
  await driver.send({ type: 'search', plan });
  expect(await show(driver, 'start')).toBeGreaterThanOrEqual(100);
  const { lines } = driver.last('status').status;
  expect(lines).toBeLessThan(21_000);
  const [first] = driver.rows();
  await driver.send({
    type: 'viewport',
    first: first?.entry ?? -1,
    last: first?.entry ?? -1,
    isByReader: true,
  });
  expect(driver.last('status').status.lines).toBe(lines);
});

/** Lets the counts come, as a page that shows the rows that there are. */
async function showCounted(driver: SessionDriver): Promise<number> {
  for (let turn = 0; turn < 12; turn++) {
    await driver.clock.advance(200);
    await show(driver, 'end');
  }
  return show(driver, 'end');
}

test('a list without any row loads nothing while nothing that it shows is counted', async () => {
  const driver = new SessionDriver(undefined, serverOf(60_000, 70_000));
  await driver.open({ ...RANGE, follow: false });
  await driver.send({ type: 'facets', filter: ERRORS });
  expect(await showCounted(driver)).toBe(0);
  expect(driver.last('status').status).toMatchObject({ rows: 0, lines: 1_000, scan: { lines: 0 } });
});

test('a list without any loaded row begins with the newest counted one', async () => {
  const driver = new SessionDriver(undefined, serverOf(60_000, 50_000));
  await driver.open({ ...RANGE, follow: false });
  await driver.send({ type: 'facets', filter: ERRORS });
  expect(await showCounted(driver)).toBe(1);
  expect(driver.texts()).toContain('ERROR 49999');
});

/** A log whose newest lines have no error; a scan reads this many of its oldest lines. */
async function openErrors(scanLimit: number): Promise<SessionDriver> {
  const server = serverOf(30_000, 2_000);
  for (let index = 30_000; index < 40_000; index++)
    server.lines.push({ container: 'web/a', seconds: START + index, nanos: 0, text: `INFO ${index}` });
  server.scanLimit = scanLimit;
  const driver = new SessionDriver(undefined, server);
  await driver.open();
  await driver.send({ type: 'facets', filter: ERRORS });
  return driver;
}

test('a list of all logs of which only the oldest lines were counted fills from those on', async () => {
  const driver = await openErrors(15_000);
  expect(await showCounted(driver)).toBe(15);
  expect(driver.last('status').status.scan).toMatchObject({ state: 'stopped', lines: 7 });
});

test('a list of all logs fills when the rest is counted, without a further question', async () => {
  const driver = await openErrors(1_500);
  expect(await showCounted(driver)).toBe(0);
  expect(driver.last('status').status).toMatchObject({ lines: 1_000, scan: { state: 'stopped', lines: 0 } });
  driver.server.scanLimit = Number.POSITIVE_INFINITY;
  await driver.send({ type: 'read-rest' });
  expect(await showCounted(driver)).toBe(15);
  expect(driver.last('status').status.scan).toMatchObject({ state: 'done', lines: 15 });
});

test('a load that fails is not repeated until the next gesture', async () => {
  const driver = new SessionDriver(undefined, serverOf(60_000, 1_000));
  await driver.open({ ...RANGE, follow: false });
  driver.server.refuse = new ApiError(0, { code: 'server-unreachable', data: { cause: 'cut' } });
  const before = driver.server.requests.length;
  await driver.send({ type: 'facets', filter: ERRORS });
  await show(driver, 'start');
  expect(driver.server.requests.length - before).toBeLessThanOrEqual(1);
  driver.server.refuse = undefined;
  expect(await show(driver, 'start', true)).toBe(21);
});

test('hits that the tab has beyond an unsearched range count as hits in the loaded lines', async () => {
  const server = serverOf(10_000, 4_000);
  const driver = new SessionDriver(undefined, server);
  await driver.open();
  await driver.jump({ at: 'start' });
  const plan = { text: 'INFO 5', matchCase: true, wholeWord: true, regex: false, only: false };
  await driver.send({ type: 'search', plan });
  await driver.settle();
  const { search } = driver.last('status').status;
  expect(search).toMatchObject({ state: 'done', hits: 1, searchedBackTo: undefined });
});
