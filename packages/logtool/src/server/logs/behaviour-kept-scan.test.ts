import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { openClusterOfPeople } from '../../../../../test/support/server/cluster-of-people.ts';
import { Frames } from '../../../../../test/support/server/frames.ts';
import { type SignedIn, send, signIn } from '../../../../../test/support/server/signed-in.ts';
import { startDashboard, type TestDashboard } from '../../../../../test/support/server/start-dashboard.ts';
import type { ScanFrame } from '../../contract/log-frame.ts';
import type { ScanQuery } from '../../contract/scan-query.ts';

const MINUTE = 60_000;

const people = openClusterOfPeople();

/** Starts the server some minutes after the last line was written: nothing is written any more in what it scans. */
async function start() {
  const clock = new FakeClock(Date.now() + 5 * MINUTE);
  const dashboard = await startDashboard({
    auth: 'kubernetes',
    kubeconfig: people.cluster.kubeconfig,
    clock,
  });
  const enter = (user: string) => signIn(dashboard, people.tokenOf(user));
  const to = `${new Date(clock.now() - 2 * MINUTE).toISOString().slice(0, -1)}000000Z`;
  const scan = (who: SignedIn, query: Partial<ScanQuery> = {}, context = 'full') =>
    scanOn(dashboard, who, { path: `/contexts/${context}/scan`, query: { to, ...query } });
  return { clock, dashboard, enter, scan };
}

/** Returns how many lines a scan finds, and how many logs it requests from the cluster. */
async function scanOn(
  dashboard: TestDashboard,
  who: SignedIn,
  { path, query }: { readonly path: string; readonly query: Partial<ScanQuery> },
) {
  const before = people.cluster.requests.length;
  const body = { id: 1, sources: ['deployments/web'], bucketMs: 1000, ...query };
  const frames = new Frames<ScanFrame>(await send(dashboard, { method: 'POST', path, body }, who));
  let scanned: Extract<ScanFrame, { readonly type: 'scanned' }> | undefined;
  let scanning: Extract<ScanFrame, { readonly type: 'scanning' }> | undefined;
  for (let frame = await frames.next(); frame?.type !== 'done'; frame = await frames.next()) {
    if (frame === undefined) throw new Error('the answer ended early');
    if (frame.type === 'scanned') scanned = frame;
    if (frame.type === 'scanning') scanning = frame;
  }
  const asked = people.cluster.requests.slice(before).filter((request) => /\/pods\/[^/]+\/log/.test(request));
  return {
    lines: scanned?.lines,
    matches: scanned?.matches,
    asked: asked.length,
    /** The share of the announced bytes that was read: about 1, or undefined. */
    share: scanning?.bytesEstimated && scanning.bytes / scanning.bytesEstimated,
  };
}

test('another filter over the same range asks the cluster for no log', async () => {
  const { enter, scan } = await start();
  const who = await enter('full');
  const first = await scan(who);
  expect(first).toMatchObject({ lines: 40, matches: 40 });
  expect(first.asked).toBeGreaterThan(0);
  // A log that only the cluster has may be of any size.
  expect(first.share).toBeUndefined();
  expect(await scan(who, { grep: 'line 1' })).toEqual({ lines: 40, matches: 22, asked: 0, share: 1 });
  const search = { text: 'LINE 7', matchCase: false, wholeWord: false, regex: false };
  expect(await scan(who, { search })).toEqual({ lines: 40, matches: 4, asked: 0, share: 1 });
});

test('nobody else has it: no other person, and no other session of the same person', async () => {
  const { enter, scan } = await start();
  const who = await enter('full');
  await scan(who);
  expect((await scan(await enter('no-nodes'))).asked).toBeGreaterThan(0);
  expect((await scan(await enter('full'))).asked).toBeGreaterThan(0);
  expect((await scan(who)).asked).toBe(0);
});

test('it goes with its session, and after ten minutes', async () => {
  const { clock, dashboard, enter, scan } = await start();
  const [leaving, staying] = [await enter('full'), await enter('full')];
  for (const who of [leaving, staying]) await scan(who);
  await send(dashboard, { method: 'POST', path: '/sign-out' }, leaving);
  expect((await scan(await enter('full'))).asked).toBeGreaterThan(0);
  expect((await scan(staying)).asked).toBe(0);
  await clock.advance(10 * MINUTE);
  expect((await scan(staying)).asked).toBeGreaterThan(0);
});
