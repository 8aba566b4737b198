import { expect, test } from 'vitest';
import { eventFact } from '../../../../test/support/domain/facts.ts';
import type { SourcePlan } from '../resolve/resolve.ts';
import { areAllPods, scaledAway } from './scaled-away.ts';

const scaling = (name: string, seconds: number, change: string) =>
  eventFact({
    id: `${name} ${seconds} ${change}`,
    at: { seconds, nanos: 0 },
    reason: 'ScalingReplicaSet',
    message: `Scaled ${change}`,
    subject: { kind: 'Deployment', namespace: 'shop', name, uid: name },
  });

test.each([
  [
    'was last scaled to 0',
    [
      scaling('web', 1, 'up replica set web-a from 0 to 2'),
      scaling('web', 5, 'down replica set web-a from 2 to 0'),
    ],
    ['web 5 down replica set web-a from 2 to 0'],
  ],
  [
    'was scaled to 0 by an earlier version of Kubernetes',
    [scaling('web', 5, 'down replica set web-a to 0')],
    ['web 5 down replica set web-a to 0'],
  ],
  [
    'was scaled up after it',
    [
      scaling('web', 5, 'down replica set web-a from 2 to 0'),
      scaling('web', 6, 'up replica set web-a from 0 to 2'),
    ],
    [],
  ],
  [
    'rolls out within one second',
    [
      scaling('web', 5, 'up replica set web-b from 0 to 1'),
      scaling('web', 5, 'down replica set web-a from 1 to 0'),
    ],
    [],
  ],
  ['has fewer pods', [scaling('web', 5, 'down replica set web-a from 20 to 10')], []],
])('of a Deployment that %s, the event is %#', (_, facts, ids) => {
  for (const order of [facts, facts.toReversed()]) expect(scaledAway(order).map(({ id }) => id)).toEqual(ids);
});

const NONE = { allContainers: false, nodes: [], regions: [], zones: [], os: [], arch: [] };

test.each<[Partial<SourcePlan>, boolean]>([
  [{ sources: ['pods/*'] }, true],
  [{ sources: ['a:po/*', 'b:pods/*'] }, true],
  [{ sources: ['pods/*', 'deployments/web'] }, false],
  [{ sources: ['pods/web-*'] }, false],
  [{ sources: ['web'] }, false],
  [{ sources: ['pods/*'], selector: 'app=web' }, false],
  [{ sources: [], selector: 'app=web' }, false],
  [{ sources: ['pods/*'], fieldSelector: 'status.phase=Running' }, false],
  [{ sources: ['pods/*'], excludePods: ['web-*'] }, false],
  [{ sources: ['pods/*'], nodes: ['node-1'] }, false],
])('%j are all pods of a namespace: %s', (plan, isAll) => {
  expect(areAllPods({ ...NONE, sources: [], ...plan })).toBe(isAll);
});
