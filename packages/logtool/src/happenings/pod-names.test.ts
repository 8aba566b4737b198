import { expect, test } from 'vitest';
import { isGeneratedFrom, OwnerNames } from './pod-names.ts';

function ownersOf(...owners: readonly (readonly [kind: string, name: string])[]): OwnerNames {
  const names = new OwnerNames();
  for (const [kind, name] of owners) names.add(kind, 'shop', name);
  return names;
}

// The names of pods and owners are those of test/recorded/list/pods.json.
test.each([
  ['ReplicaSet', 'web-6d5b7c9f4d', 'web-6d5b7c9f4d-x2x9p'],
  ['DaemonSet', 'agent', 'agent-kh82p'],
  ['StatefulSet', 'db', 'db-0'],
  ['StatefulSet', 'db', 'db-12'],
  ['Job', 'import', 'import-7xk2m'],
  ['Job', 'import', 'import-3-7xk2m'],
  ['CronJob', 'nightly', 'nightly-29345678-7xk2m'],
  ['ReplicationController', 'old', 'old-7xk2m'],
])('a pod of %s %s is known as %s', (kind, owner, pod) => {
  expect(ownersOf([kind, owner]).match('Pod', 'shop', pod)).toBe(true);
  expect(ownersOf([kind, owner]).match('Pod', 'bank', pod)).toBe(false);
});

test.each([
  ['ReplicaSet', 'web-6d5b7c9f4d', 'web-api-6d5b7c9f4d-x2x9p'],
  ['ReplicaSet', 'web-6d5b7c9f4d', 'web-6d5b7c9f4d-0'],
  ['DaemonSet', 'agent', 'agent-metrics-kh82p'],
  ['DaemonSet', 'agent', 'agent-12345'],
  ['StatefulSet', 'db', 'db-backup-0'],
  ['StatefulSet', 'db', 'db-x2x9p'],
  ['Job', 'import', 'import-users-7xk2m'],
  ['CronJob', 'nightly', 'nightly-report-7xk2m'],
  ['Deployment', 'web', 'web-x2x9p'],
])('the neighbor of %s %s with the similar name %3$s is not its pod', (kind, owner, pod) => {
  expect(ownersOf([kind, owner]).match('Pod', 'shop', pod)).toBe(false);
});

test('a Job of a CronJob is known by its name', () => {
  const names = ownersOf(['CronJob', 'nightly']);
  expect(names.match('Job', 'shop', 'nightly-29345678')).toBe(true);
  expect(names.match('Job', 'shop', 'nightly-report')).toBe(false);
});

test('a long name of an owner is cut in the names of its pods', () => {
  const owner = `${'a'.repeat(56)}-6d5b7c9f4d`;
  const pod = `${owner.slice(0, 58)}x2x9p`;
  expect(pod).toHaveLength(63);
  expect(isGeneratedFrom(owner, pod)).toBe(true);
  expect(ownersOf(['ReplicaSet', owner]).match('Pod', 'shop', pod)).toBe(true);
});
