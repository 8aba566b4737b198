import { expect, test } from 'vitest';
import { enteredBy, headersOf } from '../../../../../test/support/server/signed-in.ts';
import { startDashboard, type TestDashboard } from '../../../../../test/support/server/start-dashboard.ts';
import { cameOver } from '../connections/peer.ts';

/** Returns the owner, as limits count it, of the connection of a request with these headers. */
async function vouchedFor(dashboard: TestDashboard, headers: Record<string, string>) {
  const people: string[] = [];
  const host = 'localhost:7500';
  const request = new Request(`http://${host}/api/v1/info`, { headers: { host, ...headers } });
  cameOver(request, {
    address: '203.0.113.1',
    vouch: (person) => void people.push(person),
    serve: () => undefined,
  });
  expect((await dashboard.fetch(request)).status).toBe(200);
  return people;
}

test('where everyone is let in, no request takes its connection out of the limits of its address', async () => {
  const dashboard = await startDashboard();
  const pageToken = await dashboard.pageToken();
  expect(await vouchedFor(dashboard, {})).toEqual([]);
  expect(await vouchedFor(dashboard, { 'x-logtool-token': pageToken })).toEqual([]);
});

test('a connection of a browser that is signed in counts as of its session', async () => {
  const dashboard = await startDashboard({ auth: 'token' });
  const who = enteredBy(await dashboard.ask(dashboard.entry));
  expect(await vouchedFor(dashboard, headersOf(who))).toEqual([expect.stringMatching(/^session ./)]);
});
