import { expect, test } from 'vitest';
import type { ContainerTarget } from '../../../domain/container.ts';
import type { ContainerNow, PodNow } from '../pod-now.ts';
import { byImportance } from './read-order.ts';

interface Given extends Partial<ContainerNow> {
  readonly isOver?: boolean;
}

/** Returns the order of one pod for each state, whose name is that of the state. */
function orderOf(states: Readonly<Record<string, Given>>): readonly string[] {
  const pods = Object.entries(states).map(([name, { isOver = false, ...state }]) => ({
    subject: { kind: 'Pod', namespace: 'shop', name, uid: name },
    isOver,
    containers: [{ name: 'app', restarts: 0, isInit: false, isRunning: true, isReady: true, ...state }],
  }));
  const targets = pods.map(({ subject: { name }, containers: [container] }) => ({
    podUid: name,
    container: 'app',
    restartCount: container?.restarts,
  }));
  return byImportance(
    targets as unknown as readonly ContainerTarget[],
    pods as unknown as readonly PodNow[],
  ).map(({ podUid }) => podUid);
}

test('logs of containers that fail come first, then of those that restarted', () => {
  const states = {
    done: { isInit: true, isRunning: false },
    calm: {},
    blocked: { isInit: true, isRunning: false, isReady: false },
    restarted: { restarts: 2 },
    completed: { isOver: true, isReady: false, isRunning: false },
    unready: { isReady: false },
    crashing: { isReady: false, isRunning: false, restarts: 7, waiting: 'CrashLoopBackOff' },
    other: {},
    migrating: { isInit: true, isReady: false },
  };
  expect(orderOf(states)).toEqual([
    'unready',
    'crashing',
    'migrating',
    'restarted',
    'calm',
    'completed',
    'other',
    'done',
    'blocked',
  ]);
});

test('containers of the same importance keep their order', () => {
  expect(orderOf({ b: {}, a: {}, c: {} })).toEqual(['b', 'a', 'c']);
});
