import type { KubeObject } from '@logtool/kube/src/client.ts';
import { expect, test } from 'vitest';
import { readPodFacts, readWorkload } from './read-facts.ts';

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

test('the main container of a pod comes first: the one that kubectl logs shows', () => {
  const containersOf = (annotations: object) => {
    const spec = { initContainers: [{ name: 'migrate' }], containers: [{ name: 'proxy' }, { name: 'app' }] };
    return readPodFacts({ metadata: { name: 'p', uid: 'u', annotations }, spec } as unknown as KubeObject)
      .containers;
  };
  expect(containersOf({})).toEqual(['proxy', 'app', 'migrate']);
  const main = (name: string) => ({ 'kubectl.kubernetes.io/default-container': name });
  expect(containersOf(main('app'))).toEqual(['app', 'proxy', 'migrate']);
  expect(containersOf(main('none'))).toEqual(['proxy', 'app', 'migrate']);
});
