import { expect, test } from 'vitest';
import { type ContainerState, type ContainerTarget, currentRunId, restartsOfRun } from './container.ts';

const TARGET: ContainerTarget = {
  id: 'u/app',
  namespace: 'shop',
  pod: 'web-0',
  podUid: 'u',
  container: 'app',
  kind: 'regular',
  placement: {},
  restartCount: 3,
  lastContainerId: 'old',
  mayRestart: true,
  podPhase: 'Running',
  deleting: false,
  state: { kind: 'running', containerId: 'new', startedAt: undefined },
};

const WAITING: ContainerState = { kind: 'waiting', reason: '', message: '' };

test('the present run is the one that runs or has ended; while none does, the one before', () => {
  expect(currentRunId(TARGET)).toBe('new');
  expect(currentRunId({ ...TARGET, state: WAITING })).toBe('old');
  expect(currentRunId({ ...TARGET, state: WAITING, lastContainerId: undefined })).toBe('');
});

test('an earlier run had one restart less, never less than none', () => {
  expect(restartsOfRun(TARGET, 'new')).toBe(3);
  expect(restartsOfRun(TARGET, 'old')).toBe(2);
  expect(restartsOfRun({ ...TARGET, restartCount: 0 }, 'old')).toBe(0);
});
