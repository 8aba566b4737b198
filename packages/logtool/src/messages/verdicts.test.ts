import { expect, test } from 'vitest';
import type { VerdictOf } from '../domain/verdicts/verdict.ts';
import { verdictText } from './verdicts.ts';

const at = { seconds: 1, nanos: 0 };
const podOf = (name: string) => ({ kind: 'Pod', namespace: 'shop', name, uid: name });

function deleted(...names: readonly string[]): VerdictOf<'pods-deleted'> {
  return {
    code: 'pods-deleted',
    data: { node: 'node-1' },
    pods: names.map(podOf),
    since: at,
    until: at,
    isOver: false,
    restarts: 0,
    proof: [],
    doubts: [],
  };
}

test('one pod is not all of them', () => {
  expect(verdictText(deleted('web-1'))).toBe(
    'something other than its controller deleted 1 pod, from node node-1: for example a node drain or a person',
  );
  expect(verdictText(deleted('web-1', 'web-2'))).toContain(
    'something other than their controller deleted 2 pods, all from node node-1: for example',
  );
});

test('a pod that is being deleted has its grace period, and what it waits for', () => {
  const base = { ...deleted('db-1'), code: 'pods-terminating' } as const;
  expect(
    verdictText({
      ...base,
      data: { isOverdue: false, graceSeconds: 3_600, finalizers: [], waits: 'StatefulSet' },
    }),
  ).toBe(
    '1 pod is terminating, within the grace period of 1 h; the StatefulSet creates no other pod before they are gone',
  );
  expect(
    verdictText({ ...base, data: { isOverdue: true, graceSeconds: 30, finalizers: ['a.example.com/b'] } }),
  ).toBe(
    '1 pod is terminating for longer than the grace period of 30 s; remaining finalizers: a.example.com/b',
  );
});

test('an exit code that a signal has proves no signal, and of an unread time the kubelet may have sent it', () => {
  const data = { container: 'app', exitCode: 137, signal: 9 };
  const base = { ...deleted('web-1'), data, code: 'stopped-by-signal' } as const;
  const rest =
    'may have sent it, or the program ended with this code by itself; its status does not report that it ran out of memory';
  const what = 'container app exited 137, as after SIGKILL:';
  expect(verdictText(base)).toBe(`${what} somebody or the program itself ${rest}`);
  expect(verdictText({ ...base, doubts: [{ code: 'kubelet-unread', data: {} }] })).toBe(
    `${what} the kubelet, somebody or the program itself ${rest}`,
  );
});

test('several Jobs of a CronJob are counted, and the last is named', () => {
  const data = { kind: 'Job', name: 'nightly-2', count: 5 };
  const { code: _, ...base } = deleted();
  expect(verdictText({ ...base, code: 'deadline-exceeded', data })).toBe(
    '5 Jobs ran longer than their deadline, and the cluster stopped them, most recently nightly-2',
  );
  expect(verdictText({ ...base, code: 'backoff-limit-exceeded', data })).toBe(
    '5 Jobs failed, most recently nightly-2: no retries left (BackoffLimitExceeded)',
  );
});
