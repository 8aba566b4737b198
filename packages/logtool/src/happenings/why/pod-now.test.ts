import type { KubeObject } from '@logtool/kube/src/client.ts';
import { expect, test } from 'vitest';
import { readPodNow } from './pod-now.ts';

/** A pod that was deleted at 10:00 with a grace period of a minute: its deletion timestamp is the end of that. */
const POD = {
  metadata: {
    name: 'web-1',
    namespace: 'shop',
    uid: 'web-1',
    deletionTimestamp: '2026-11-22T10:01:00Z',
    deletionGracePeriodSeconds: 60,
    finalizers: ['example.com/backup'],
  },
} as unknown as KubeObject;

const readAt = (time: string) => readPodNow(POD, { seconds: Date.parse(time) / 1_000, nanos: 0 });

test('a deleted pod is overdue only after its grace period, and a time for the kubelet to clean up', () => {
  const overdue = ['10:00:50', '10:01:30', '10:01:31'].map((time) => readAt(`2026-11-22T${time}Z`).isOverdue);
  expect(overdue).toEqual([false, false, true]);
  expect(readAt('2026-11-22T10:05:00Z')).toMatchObject({
    isDeleting: true,
    finalizers: ['example.com/backup'],
  });
});

test('a pod that nobody deleted is never overdue', () => {
  const pod = readPodNow({ metadata: { name: 'web-1', uid: 'web-1' } } as KubeObject, {
    seconds: 2e9,
    nanos: 0,
  });
  expect(pod).toMatchObject({ isDeleting: false, isOverdue: false, finalizers: [] });
});
