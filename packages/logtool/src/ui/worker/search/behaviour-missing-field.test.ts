import { expect, test } from 'vitest';
import { FakeServer } from '../../../../../../test/support/ui/worker/fake-server.ts';
import { SessionDriver } from '../../../../../../test/support/ui/worker/session-driver.ts';

const search = { only: true, matchCase: false, wholeWord: false, regex: false };

async function driverWith(...texts: string[]): Promise<SessionDriver> {
  const server = new FakeServer();
  for (const [index, text] of texts.entries())
    server.lines.push({ seconds: 1_800_000_000 + index, nanos: 0, container: 'web/a', text });
  const driver = new SessionDriver(undefined, server);
  await driver.open();
  return driver;
}

async function missing(driver: SessionDriver, text: string) {
  await driver.send({ type: 'search', plan: { ...search, text } });
  await driver.clock.advance(2_000);
  await driver.settle();
  return driver.last('status').status.search.missingField;
}

test('reports a field that no line has with the one that may be meant, and continues the search', async () => {
  const driver = await driverWith('{"status":503}', 'level=info duration=5', 'words');
  expect(await missing(driver, '@statsu:503')).toEqual({
    path: 'statsu',
    near: 'status',
    lines: 3,
    isAll: true,
  });
  expect(await missing(driver, '@durration:5')).toMatchObject({ near: 'duration' });
  driver.server.write({
    seconds: 1_800_000_100,
    nanos: 0,
    container: 'web/a',
    text: '{"statsu":503}',
  });
  await driver.settle();
  expect(await missing(driver, '@statsu:503')).toBeUndefined();
  expect(driver.last('status').status.search.hits).toBe(1);
});

test('does not report a field that a line has with any value, nor one of another kind of search', async () => {
  const driver = await driverWith('{"status":503}', 'level=info duration=5');
  expect(await missing(driver, '@status:404')).toBeUndefined();
  expect(await missing(driver, '@duration:7')).toBeUndefined();
  expect(await missing(driver, '-@statsu:503 nothing')).toBeUndefined();
  expect(await missing(driver, 'statsu')).toBeUndefined();
});
