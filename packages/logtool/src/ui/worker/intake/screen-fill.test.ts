import { expect, test } from 'vitest';
import { SessionDriver } from '../../../../../../test/support/ui/worker/session-driver.ts';

test('scrolling up to lines that the limit of the view let go does not load them; their row does', async () => {
  const driver = new SessionDriver({ lines: 100, bytes: 2 ** 24 });
  const write = (index: number) =>
    driver.server.write({
      seconds: 1_800_000_000 + index,
      nanos: 0,
      container: 'web/a',
      text: `line ${index}`,
    });
  for (let index = 0; index < 50; index++) write(index);
  await driver.open();
  for (let index = 50; index < 400; index++) write(index);
  await driver.settle();
  const [first] = driver.rows();
  expect(first?.kind).toBe('missing');
  const asked = driver.server.requests.length;
  await driver.send({ type: 'load', what: 'older' });
  expect(driver.rows()[0]).toEqual(first);
  expect(driver.server.requests.length).toBe(asked);
  await driver.send({ type: 'load-missing', entry: first?.entry ?? -1 });
  expect(driver.server.requests.length).toBe(asked + 1);
});
