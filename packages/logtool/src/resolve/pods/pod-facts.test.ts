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

test('a pod is as old as its object, but that of a static pod may be younger than its containers', () => {
  const createdAt = (kind: string) => {
    const ownerReferences = [{ uid: 'o', kind, name: 'x' }];
    const metadata = { name: 'p', uid: 'u', creationTimestamp: '2026-11-22T08:00:00Z', ownerReferences };
    return readPod({ metadata } as unknown as KubeObject).createdAt;
  };
  expect(createdAt('ReplicaSet')).toEqual({ seconds: Date.UTC(2026, 10, 22, 8) / 1000, nanos: 0 });
  expect(createdAt('Node')).toBeUndefined();
  expect(readPod({ metadata: { name: 'p', uid: 'u' } } as unknown as KubeObject).createdAt).toBeUndefined();
});
