import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseVersion, versionText } from './resource-version.ts';
import { type RunFacts, runKey } from './run-facts.ts';
import { RunList } from './run-list.ts';

function facts(pod: string, bytes: number): RunFacts {
  const files = [{ name: '0.log', bytes, compressed: false, firstTime: '2026-11-21T10:00:00.5Z' }];
  const lastTime = '2026-11-21T10:00:09.000Z';
  return { namespace: 'shop', pod, podUid: `${pod}-uid`, container: 'app', run: 0, files, lastTime };
}
const shown = (list: RunList, atMs: number | undefined) =>
  atMs === undefined
    ? undefined
    : list
        .changesAfter(atMs)
        ?.map(({ type, object }) => `${type} ${object.spec.podName} ${object.status.bytes}`);

function listOf(process: number, clock: FakeClock, maxChanges?: number): RunList {
  return new RunList({ clock, random: () => process, ...(maxChanges === undefined ? {} : { maxChanges }) });
}

test('only what differs is a change, and each has a version of its own', () => {
  const list = listOf(0.5, new FakeClock());
  const start = list.version;
  list.replaceNode('node-1', [facts('a', 1), facts('b', 1)]);
  list.replaceNode('node-1', [facts('a', 1), facts('b', 2)]);
  list.changeNode('node-1', [facts('c', 1)], [runKey(facts('a', 1)), 'unknown']);
  list.replaceNode('node-2', [facts('d', 1)]);
  list.removeNode('node-1');
  const since = list.sinceVersion(start);
  expect(shown(list, since as number)).toEqual([
    'ADDED a 1',
    'ADDED b 1',
    'MODIFIED b 2',
    'DELETED a 1',
    'ADDED c 1',
    'ADDED d 1',
    'DELETED b 2',
    'DELETED c 1',
  ]);
  const versions = list.changesAfter(since as number)!.map(({ object }) => object.metadata.resourceVersion);
  expect(new Set(versions).size).toBe(versions.length);
  expect(list.version).toBe(versions.at(-1));
  expect(list.all().map(({ spec }) => spec.podName)).toEqual(['d']);
});

test('the changes after a version of the same process come once', () => {
  const clock = new FakeClock();
  const list = listOf(0.5, clock);
  list.replaceNode('node-1', [facts('a', 1)]);
  const { version } = list;
  list.replaceNode('node-1', [facts('a', 2)]);
  expect(shown(list, list.sinceVersion(version) as number)).toEqual(['MODIFIED a 2']);
  expect(shown(list, list.sinceVersion(list.version) as number)).toEqual([]);
});

test('after a version of another replica, the changes of the 5 s before it come, too', async () => {
  const clock = new FakeClock();
  const [one, other] = [listOf(0.1, clock), listOf(0.2, clock)];
  const both = (run: RunFacts) => [one, other].map((list) => list.replaceNode('node-1', [run]));
  await clock.advance(10_000);
  both(facts('a', 1));
  await clock.advance(6000);
  both(facts('a', 2));
  const { version } = one;
  await clock.advance(1000);
  both(facts('a', 3));
  expect(shown(one, one.sinceVersion(version) as number)).toEqual(['MODIFIED a 3']);
  expect(shown(other, other.sinceVersion(version) as number)).toEqual(['MODIFIED a 2', 'MODIFIED a 3']);
});

test('a list in which nothing has changed for long can be watched at another replica', async () => {
  const clock = new FakeClock();
  const [one, other] = [listOf(0.1, clock), listOf(0.2, clock)];
  one.replaceNode('node-1', [facts('a', 1)]);
  other.replaceNode('node-1', [facts('a', 1)]);
  await clock.advance(3_600_000);
  expect(shown(other, other.sinceVersion(one.version) as number)).toEqual([]);
});

test('what changes after a version was seen has a later one', () => {
  const list = listOf(0.5, new FakeClock());
  const { version } = list;
  list.replaceNode('node-1', [facts('a', 1)]);
  expect(shown(list, list.sinceVersion(version) as number)).toEqual(['ADDED a 1']);
});

test('a version from before a restart is expired', async () => {
  const clock = new FakeClock();
  const before = listOf(0.1, clock);
  before.replaceNode('node-1', [facts('a', 1)]);
  await clock.advance(1000);
  const after = listOf(0.2, clock);
  expect(after.sinceVersion(before.version)).toBeUndefined();
  expect(after.sinceVersion('x')).toBe('invalid');
  expect(after.sinceVersion('1')).toBeUndefined();
});

test('versions whose later changes are no longer kept are expired', () => {
  const list = listOf(0.5, new FakeClock(), 4);
  const { version } = list;
  const steps = Array.from({ length: 5 }, (_, at) => {
    list.replaceNode('node-1', [facts('a', at + 1)]);
    return list.version;
  });
  expect(list.sinceVersion(version)).toBeUndefined();
  expect(list.sinceVersion(steps[0]!)).toBeUndefined();
  expect(shown(list, list.sinceVersion(steps[1]!) as number)).toEqual([
    'MODIFIED a 3',
    'MODIFIED a 4',
    'MODIFIED a 5',
  ]);
});

test('pods that had the same name one after another are objects of their own', () => {
  const list = listOf(0.5, new FakeClock());
  list.replaceNode('node-1', [facts('a', 1), { ...facts('a', 1), podUid: 'another' }]);
  const names = list.all().map(({ metadata }) => metadata);
  expect(names.map(({ name }) => name)).toEqual(['a.app.0.a-uid', 'a.app.0.another']);
  expect(new Set(names.map(({ uid }) => uid)).size).toBe(2);
  expect(names[0]?.uid).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
});

test('a version is one number, in the order of time, and reads as it was written', () => {
  const version = fc.record({ atMs: fc.nat(4e12), process: fc.nat(999_999) });
  fc.assert(
    fc.property(version, version, (a, b) => {
      expect(parseVersion(versionText(a))).toEqual(a);
      if (a.atMs < b.atMs) expect(BigInt(versionText(a))).toBeLessThan(BigInt(versionText(b)));
    }),
  );
});
