import { expect, test } from 'vitest';
import { makeWorkload } from '../../../../../../test/support/ui/home/make-workload.ts';
import type { WireError } from '../../../contract/error.ts';
import type { WorkloadFrame } from '../../../contract/workload.ts';
import { applyFrames, EMPTY_LIST } from './workload-store.ts';

const a = makeWorkload({ name: 'a', id: 'a' });
const b = makeWorkload({ name: 'b', id: 'b' });
const c = makeWorkload({ name: 'c', id: 'c' });
const apply = (frames: readonly WorkloadFrame[], list = EMPTY_LIST) => applyFrames(list, frames, 1_000);
const first: readonly WorkloadFrame[] = [
  { type: 'snapshot', workloads: [a], pods: 7 },
  { type: 'more', workloads: [b] },
  { type: 'synced' },
];
const ids = (list: typeof EMPTY_LIST) => [...list.workloads.keys()];

test('shows the first snapshot while it comes, and is complete once it has all arrived', () => {
  const update = apply(first.slice(0, 1));
  expect([ids(update), update.isComplete]).toEqual([['a'], false]);
  const whole = apply(first.slice(1), update);
  expect([ids(whole), whole.isComplete, whole.feed, whole.pods]).toEqual([
    ['a', 'b'],
    true,
    { state: 'live' },
    7,
  ]);
});

test('a later snapshot takes the place of the rows only when it is whole', () => {
  const list = apply(first);
  const update = apply([{ type: 'snapshot', workloads: [c], pods: 1 }], list);
  expect(ids(update)).toEqual(['a', 'b']);
  const more = apply([{ type: 'more', workloads: [b] }], update);
  expect(ids(more)).toEqual(['a', 'b']);
  expect(ids(apply([{ type: 'synced' }], more))).toEqual(['c', 'b']);
});

test('changes add rows, update old ones and remove deleted ones', () => {
  const list = apply(first);
  const newA = { ...a, restarts: 1 };
  const next = apply([{ type: 'changes', changed: [newA, c], removed: ['b', 'unknown'], pods: 3 }], list);
  expect([...next.workloads.values()]).toEqual([newA, c]);
  expect(next.pods).toBe(3);
  expect(ids(list)).toEqual(['a', 'b']);
});

test('frames that change no row leave the rows the same object', () => {
  const list = apply(first);
  expect(apply([{ type: 'heartbeat', at: 1 }], list)).toBe(list);
  expect(apply([{ type: 'state', state: 'polling' }], list).workloads).toBe(list.workloads);
});

test('what is denied is kept once for each namespace and resource', () => {
  const denied = (resource: string): WireError => ({
    code: 'forbidden',
    data: {},
    denied: { verb: 'list', resource, check: '' },
  });
  const list = apply([
    { type: 'denied', namespace: 'vault', error: denied('pods') },
    { type: 'denied', namespace: 'vault', error: denied('jobs') },
    { type: 'denied', namespace: 'vault', error: denied('pods') },
  ]);
  expect(list.denied.map(({ error }) => error.denied?.resource)).toEqual(['jobs', 'pods']);
});

test('an outage keeps the rows and says when the next try is', () => {
  const list = apply([{ type: 'state', state: 'retrying', retryInMs: 500 }], apply(first));
  expect(list.feed).toEqual({ state: 'retrying', who: 'cluster', error: undefined, retryAtMs: 1_500 });
  expect(ids(list)).toEqual(['a', 'b']);
  expect(list.liveSinceMs).toBeUndefined();
});

test('a frame of a later version is passed over', () => {
  const list = apply(first);
  expect(apply([{ type: 'new-thing' } as unknown as WorkloadFrame], list)).toBe(list);
});
