import { expect, test } from 'vitest';
import { eventFact } from '../../../../../../test/support/domain/facts.ts';
import { evidenceOf, podNow } from '../../../../../../test/support/why/evidence.ts';
import type { Fact, FactOf } from '../../../domain/facts/fact.ts';
import type { PodNow } from '../pod-now.ts';
import { rolloutWaits } from './rollout-rules.ts';

const at = (seconds: number) => ({ seconds, nanos: 0 });
const NOW = 10_000;

function rollout(kind: string, data: Partial<FactOf<'rollout'>['data']> = {}): Fact {
  const subject = { kind, namespace: 'shop', name: 'db', uid: 'db' };
  const given = { revision: 2, images: [], isOver: false, controllerRevision: 'db-new', ...data };
  return {
    ...eventFact({ id: 'rollout', at: at(NOW - 600), subject }),
    kind: 'rollout',
    data: given,
  } as Fact;
}

/** A pod with the template of this hash, old enough to be ready. */
function pod(kind: string, name: string, hash: string, values: Partial<PodNow> = {}): PodNow {
  return podNow({
    subject: { kind: 'Pod', namespace: 'shop', name, uid: name },
    createdAt: at(NOW - 500),
    owner: { kind, name: 'db' },
    revision: kind === 'StatefulSet' ? `db-${hash}` : hash,
    ...values,
  });
}

const READY = { isReady: true };

const waits = (fact: Fact, ...pods: readonly PodNow[]) =>
  rolloutWaits(evidenceOf([fact], { pods, now: at(NOW) })).map(({ data, pods: found, isOver }) => ({
    ...data,
    pods: found.map(({ name }) => name),
    isOver,
  }));

const FOUND = { name: 'db', images: [], isOver: false };

test.each(['StatefulSet', 'DaemonSet'])('the rollout of a %s waits for its pod that is not ready', (kind) => {
  const found = waits(rollout(kind), pod(kind, 'b', 'new'), pod(kind, 'a', 'old', READY));
  expect(found).toEqual([{ ...FOUND, kind, updated: 1, total: 2, isOutdated: false, pods: ['b'] }]);
});

test('a StatefulSet waits for a pod of an earlier template, a DaemonSet replaces it', () => {
  const pods = (kind: string) => [pod(kind, 'b', 'old'), pod(kind, 'a', 'new', READY)] as const;
  expect(waits(rollout('StatefulSet'), ...pods('StatefulSet'))).toEqual([
    { ...FOUND, kind: 'StatefulSet', updated: 1, total: 2, isOutdated: true, pods: ['b'] },
  ]);
  expect(waits(rollout('DaemonSet'), ...pods('DaemonSet'))).toEqual([]);
});

const SET = 'StatefulSet';

test.each<[string, Fact, readonly PodNow[]]>([
  ['is done', rollout(SET, { isOver: true }), [pod(SET, 'b', 'new'), pod(SET, 'a', 'old', READY)]],
  ['has reached all pods', rollout(SET), [pod(SET, 'b', 'new'), pod(SET, 'a', 'new', READY)]],
  ['goes on', rollout(SET), [pod(SET, 'b', 'new', READY), pod(SET, 'a', 'old', READY)]],
  [
    'made its pod just now',
    rollout(SET),
    [pod(SET, 'b', 'new', { createdAt: at(NOW - 5) }), pod(SET, 'a', 'old', READY)],
  ],
  [
    'is deleting that pod',
    rollout(SET),
    [pod(SET, 'b', 'old', { isDeleting: true }), pod(SET, 'a', 'old', READY)],
  ],
  ['is the first', rollout(SET, { revision: 1 }), [pod(SET, 'b', 'new'), pod(SET, 'a', 'old', READY)]],
])('a rollout that %s waits for no pod', (_, fact, pods) => {
  expect(waits(fact, ...pods)).toEqual([]);
});
