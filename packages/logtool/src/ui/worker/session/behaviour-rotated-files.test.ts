import { expect, test } from 'vitest';
import { FakeServer } from '../../../../../../test/support/ui/worker/fake-server.ts';
import { SessionDriver } from '../../../../../../test/support/ui/worker/session-driver.ts';

const START = 1_800_000_000;

function serverOf(count: number): FakeServer {
  const server = new FakeServer();
  for (let index = 0; index < count; index++)
    server.lines.push({ seconds: START + index, nanos: 0, container: 'web/a', text: `line ${index}` });
  return server;
}

/** What a person does with a view: it opens, pages, jumps, counts, searches, breaks and reads a pin. */
async function use(driver: SessionDriver): Promise<void> {
  await driver.send({ type: 'load', what: 'older' });
  await driver.jump({ at: 'start' });
  await driver.send({
    type: 'search',
    plan: { text: 'line 7', matchCase: true, wholeWord: false, regex: false, only: true },
  });
  await driver.send({ type: 'read-rest' });
  await driver.clock.advance(5_000);
  await driver.settle();
  driver.server.cut();
  await driver.clock.advance(5_000);
  await driver.settle();
}

test.each([
  [true, 'auto'],
  [undefined, undefined],
])('every query of a view that reads rotated files (%j) says so: %s', async (readsRotated, rotated) => {
  const driver = new SessionDriver(undefined, serverOf(5_000));
  await driver.open({ readsRotated });
  await use(driver);
  const { requests, scans } = driver.server;
  const queries = [...requests.flatMap((request) => request.queries), ...scans];
  expect(requests.length).toBeGreaterThan(3);
  expect(scans.length).toBeGreaterThan(0);
  expect(new Set(queries.map((query) => query.rotated))).toEqual(new Set([rotated]));
});

test('a view that begins to read rotated files is read again', async () => {
  const driver = new SessionDriver(undefined, serverOf(100));
  await driver.open();
  const before = driver.server.requests.length;
  await driver.open({ readsRotated: true });
  expect(driver.server.requests.length).toBeGreaterThan(before);
  expect(driver.texts().length).toBe(100);
});
