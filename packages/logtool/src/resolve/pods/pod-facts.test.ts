import type { KubeObject } from '@logtool/kube/src/client.ts';
import { expect, test } from 'vitest';
import { readPod, workloadOf } from './pod-facts.ts';

function madeBy(kind: string, name: string, labels: object = {}) {
  const metadata = { name: 'p', uid: 'u', labels, ownerReferences: [{ uid: 'o', kind, name }] };
  return workloadOf(readPod({ metadata } as unknown as KubeObject));
}

test('a pod of a Deployment has its name, which its ReplicaSet has before the hash of the template', () => {
  const hash = { 'pod-template-hash': '6b54d' };
  expect(madeBy('ReplicaSet', 'web-6b54d', hash)).toEqual({ ownerKind: 'ReplicaSet', name: 'web' });
  const rollout = { 'rollouts-pod-template-hash': '6b54d' };
  expect(madeBy('ReplicaSet', 'web-6b54d', rollout)).toEqual({ ownerKind: 'ReplicaSet', name: 'web' });
  // A standalone ReplicaSet, and one whose pods got another label.
  expect(madeBy('ReplicaSet', 'web-6b54d')?.name).toBe('web-6b54d');
  expect(madeBy('ReplicaSet', 'web-abcde', hash)?.name).toBe('web-abcde');
});

test('other pods have the name of their owner; those of a node, and pods on their own, have none', () => {
  expect(madeBy('StatefulSet', 'db')).toEqual({ ownerKind: 'StatefulSet', name: 'db' });
  expect(madeBy('Node', 'node-1')).toBeUndefined();
  expect(workloadOf(readPod({ metadata: { name: 'p', uid: 'u' } } as unknown as KubeObject))).toBeUndefined();
});
