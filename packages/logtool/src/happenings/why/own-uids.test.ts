import type { KubeObject } from '@logtool/kube/src/client.ts';
import { expect, test } from 'vitest';
import { eventFact } from '../../../../../test/support/domain/facts.ts';
import { withOwnUids } from './own-uids.ts';

const HASH = '6d8b7a5cce3b1f2ab6e1c53b2f0d9a11';
const pod = (annotations?: Readonly<Record<string, string>>): KubeObject => ({
  metadata: {
    name: 'etcd-node-1',
    namespace: 'kube-system',
    uid: 'mirror',
    resourceVersion: '1',
    ...(annotations && { annotations }),
  },
});
const killing = (uid: string, kind = 'Pod') =>
  eventFact({
    reason: 'Killing',
    message: 'Container etcd failed liveness probe, will be restarted',
    subject: { kind, namespace: 'kube-system', name: 'etcd-node-1', uid, container: 'etcd' },
  });

test('an event of a static pod is one of its mirror pod', () => {
  const pods = [pod({ 'kubernetes.io/config.mirror': HASH })];
  const uids = withOwnUids([killing(HASH), killing('other'), killing(HASH, 'Node')], pods).map(
    ({ subject }) => subject.uid,
  );
  expect(uids).toEqual(['mirror', 'other', HASH]);
});

test('events of other pods keep their UIDs', () => {
  const facts = [killing(HASH)];
  expect(withOwnUids(facts, [pod(), pod({ other: HASH })])).toBe(facts);
});
