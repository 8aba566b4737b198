import { expect, test } from 'vitest';
import { FakeServer } from '../../../../../../test/support/ui/worker/fake-server.ts';
import { SessionDriver } from '../../../../../../test/support/ui/worker/session-driver.ts';

test.each(['start', 'time'] as const)(
  'a jump to a %s that lasts is stopped, and can be made again',
  async (at) => {
    const server = new FakeServer();
    for (let index = 0; index < 9_000; index++)
      server.lines.push({
        seconds: 1_800_000_000 + index,
        nanos: 0,
        container: 'web/a',
        text: `line ${index}`,
      });
    const driver = new SessionDriver(undefined, server);
    await driver.open({ follow: false });
    const { lines } = driver.last('status').status;
    const to = at === 'start' ? { at } : { at, seconds: 1_800_002_000, nanos: 0 };
    let deliver = () => {};
    server.delivery = new Promise((resolve) => {
      deliver = resolve;
    });
    driver.session.take({ type: 'jump', request: 901, to });
    await driver.settle();
    expect(driver.last('status').status.loading).toBe('jumping');
    await driver.send({ type: 'stop-find' });
    expect(driver.last('jumped')).toMatchObject({ request: 901, entry: undefined, isStopped: true });
    expect(driver.last('status').status).toMatchObject({ lines });

    deliver();
    server.delivery = undefined;
    await driver.settle();
    expect(driver.last('status').status).toMatchObject({ lines, loading: 'none' });
    driver.session.take({ type: 'jump', request: 902, to });
    await driver.settle();
    const { entry, isStopped } = driver.last('jumped');
    expect(isStopped).toBeUndefined();
    const row = driver.rows().find((each) => each.entry === entry);
    expect(row).toMatchObject({ text: at === 'start' ? 'line 0' : 'line 2000' });
  },
);
