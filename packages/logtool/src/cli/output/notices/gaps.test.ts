import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { at, target } from '../../../../../../test/support/cli/fake-services.ts';
import type { GapCause } from '../../../domain/frame.ts';
import { newGaps, newWaits } from './gaps.ts';

const DELETED: GapCause = { code: 'pod-deleted', data: { during: 'cut' } };
const ROTATED: GapCause = { code: 'rotated', data: {} };

function setUp() {
  const clock = new FakeClock();
  const reported: string[] = [];
  const gaps = newGaps(clock, async (line) => void reported.push(line));
  const lose = (pod: string, from?: string, cause = DELETED, to?: string) =>
    gaps.hold({
      type: 'gap',
      target: target(pod),
      from: from === undefined ? undefined : at(from),
      to: to === undefined ? undefined : at(to),
      cause,
    });
  return { clock, reported, gaps, lose };
}

test('a rollout during an outage is one line that names the number and the first few', async () => {
  const { clock, reported, lose } = setUp();
  for (let pod = 0; pod < 37; pod++) {
    lose(`web-${pod}`, `2026-11-21T10:00:${10 + ((pod * 7) % 37)}Z`);
    await clock.advance(50);
  }
  lose('db-0', '2026-11-21T10:00:00Z', ROTATED, '2026-11-21T10:00:05Z');
  expect(reported).toEqual([]);
  await clock.advance(5_000);
  expect(reported).toEqual([
    '! 37 containers: records from 2026-11-21T10:00:10.000000000Z may be missing: the pod was deleted while the connection to its log was down (shop/web-0/app, shop/web-1/app, shop/web-2/app and 34 more)',
    '! shop/db-0/app: records from 2026-11-21T10:00:00.000000000Z to 2026-11-21T10:00:05.000000000Z may be missing: the node rotated the log',
  ]);
});

test('reports a few one by one, within seconds however many follow, and at once at the end', async () => {
  const { clock, reported, gaps, lose } = setUp();
  lose('web-0');
  await clock.advance(2_000);
  expect(reported).toEqual([
    '! shop/web-0/app: records may be missing: the pod was deleted while the connection to its log was down',
  ]);
  for (let pod = 1; pod < 30; pod++) {
    lose(`web-${pod}`);
    await clock.advance(500);
  }
  expect(reported).toHaveLength(3);
  await gaps.flush();
  expect(reported).toHaveLength(4);
  await clock.advance(60_000);
  expect(reported).toHaveLength(4);
});

test('times are those of all: without a bound where one has none', async () => {
  const { reported, gaps, lose } = setUp();
  for (const pod of ['a', 'b', 'c', 'd'])
    lose(pod, undefined, ROTATED, `2026-11-21T10:00:0${'abcd'.indexOf(pod)}Z`);
  await gaps.flush();
  expect(reported).toEqual([
    '! 4 containers: records to 2026-11-21T10:00:03.000000000Z may be missing: the node rotated the log (shop/a/app, shop/b/app, shop/c/app and 1 more)',
  ]);
});

test('many containers that wait for the same are one line, and a few are named', async () => {
  const clock = new FakeClock();
  const lines: string[] = [];
  const waits = newWaits(clock, async (line) => void lines.push(line));
  const hold = (pod: string, reason: string) =>
    waits.hold({ type: 'source', state: 'waiting', target: target(pod), reason });
  for (let at = 0; at < 60; at++) hold(`many-${at}`, 'ImagePullBackOff');
  hold('odd', 'CrashLoopBackOff');
  await clock.advance(499);
  expect(lines).toEqual([]);
  await clock.advance(1);
  expect(lines).toEqual([
    '~ 60 containers are waiting: ImagePullBackOff (shop/many-0/app, shop/many-1/app, shop/many-2/app and 57 more)',
    '~ shop/odd/app is waiting: CrashLoopBackOff',
  ]);
});

test('what is reported later comes after what is being reported, and is waited for', async () => {
  const clock = new FakeClock();
  const lines: string[] = [];
  let write = () => {};
  const slow = new Promise<void>((resolve) => {
    write = resolve;
  });
  const waits = newWaits(clock, async (line) => {
    await slow;
    lines.push(line);
  });
  waits.hold({ type: 'source', state: 'waiting', target: target('web-0'), reason: 'first' });
  await clock.advance(500);
  waits.hold({ type: 'source', state: 'waiting', target: target('web-0'), reason: 'second' });
  const flushed = waits.flush().then(() => lines.push('flushed'));
  await clock.advance(0);
  expect(lines).toEqual([]);
  write();
  await flushed;
  expect(lines).toEqual([
    '~ shop/web-0/app is waiting: first',
    '~ shop/web-0/app is waiting: second',
    'flushed',
  ]);
});
