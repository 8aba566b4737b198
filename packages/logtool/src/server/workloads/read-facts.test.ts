import type { KubeObject } from '@logtool/kube/src/client.ts';
import { expect, test } from 'vitest';
import { readWorkload } from './read-facts.ts';

function deployment(spec: object, conditions: readonly object[]): KubeObject {
  return { metadata: { name: 'web', uid: 'u' }, spec, status: { conditions } } as unknown as KubeObject;
}

const STUCK = { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' };
const REFUSED = { type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate' };

test('a Deployment that is stuck or refused its pods is failing, unless it was scaled to zero since', () => {
  const noteOf = (replicas: number) =>
    [STUCK, REFUSED].map(
      (condition) => readWorkload('deployments', deployment({ replicas }, [condition])).note,
    );
  expect(noteOf(2)).toEqual([
    { status: 'ProgressDeadlineExceeded', isFailing: true },
    { status: 'FailedCreate', isFailing: true },
  ]);
  expect(noteOf(0)).toEqual([undefined, undefined]);
});
