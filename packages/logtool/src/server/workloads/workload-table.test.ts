import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Workload } from '../../contract/workload.ts';
import { LastEvents } from './last-events.ts';
import type { PodFacts, WorkloadFacts } from './read-facts.ts';
import { WorkloadTable } from './workload-table.ts';

const NOW = Date.UTC(2026, 10, 21, 10);

function tableOf(isDenied: (kind: string, namespace: string) => boolean = () => false) {
  const events = new LastEvents();
  return { events, table: new WorkloadTable(events, () => NOW, isDenied) };
}

function workload(
  kind: WorkloadFacts['kind'],
  name: string,
  facts: Partial<WorkloadFacts> = {},
): WorkloadFacts {
  return {
    uid: `${kind}/${name}`,
    kind,
    namespace: 'shop',
    name,
    createdAt: '2026-11-21T09:00:00Z',
    owner: undefined,
    wanted: kind === 'jobs' || kind === 'cronjobs' ? undefined : 1,
    note: undefined,
    schedule: undefined,
    ...facts,
  };
}

function pod(name: string, facts: Partial<PodFacts> = {}): PodFacts {
  return {
    uid: `pods/${name}`,
    namespace: 'shop',
    name,
    createdAt: '2026-11-21T09:00:00Z',
    owner: undefined,
    isReady: true,
    isOver: false,
    isLeaving: false,
    restarts: 0,
    lastRestartAt: undefined,
    readinessAt: '2026-11-21T09:00:05Z',
    leavesAt: undefined,
    containers: ['app'],
    status: 'Running',
    exits: [],
    waiting: undefined,
    isUnschedulable: false,
    ...facts,
  };
}

const owned = (kind: string, uid: string) => ({ owner: { kind, uid } });
const rowOf = (table: WorkloadTable, name: string): Workload | undefined => {
  table.takeChanges();
  return [...table.rows].find((row) => row.name === name);
};

/** Returns the rows without an owner. */
const listed = (table: WorkloadTable) => [...table.rows].filter(({ ownerId }) => ownerId === undefined);

test('pods count for the Deployment above their ReplicaSet, whichever comes first', () => {
  const { table } = tableOf();
  table.putPod(pod('web-1-a', owned('ReplicaSet', 'replicasets/web-1')));
  table.takeChanges();
  expect(listed(table)).toEqual([]);
  table.put(workload('replicasets', 'web-1', owned('Deployment', 'deployments/web')));
  table.put(workload('deployments', 'web', { wanted: 2 }));
  expect(rowOf(table, 'web')).toMatchObject({ podsReady: 1, podsTotal: 2 });
  expect(listed(table)).toHaveLength(1);
  expect(rowOf(table, 'web-1-a')).toMatchObject({ kind: 'pods', ownerId: 'deployments/web', podsReady: 1 });
  table.removePod('pods/web-1-a');
  expect(rowOf(table, 'web')).toMatchObject({ podsReady: 0, podsTotal: 2 });
});

test.each<[string, PodFacts['status'], Partial<PodFacts>, Partial<Workload>]>([
  ['a crash loop', 'CrashLoopBackOff', { isReady: false }, { status: 'CrashLoopBackOff', isFailing: true }],
  [
    'an image that is not there',
    'ImagePullBackOff',
    { isReady: false },
    { status: 'ImagePullBackOff', isFailing: true },
  ],
  [
    'no place',
    'Pending',
    { isReady: false, isUnschedulable: true },
    { status: 'Unschedulable', isFailing: true },
  ],
  ['a start', 'ContainerCreating', { isReady: false }, { status: 'ContainerCreating', isFailing: false }],
  ['a probe that fails', 'Running', { isReady: false }, { status: 'NotReady', isFailing: false }],
  ['nothing', 'Running', {}, { isFailing: false }],
])('the status of a workload shows %s', (_, status, facts, row) => {
  const { table } = tableOf();
  table.put(workload('statefulsets', 'db'));
  table.putPod(pod('db-0', { status, ...facts, ...owned('StatefulSet', 'statefulsets/db') }));
  expect(rowOf(table, 'db')).toMatchObject(row);
  expect(rowOf(table, 'db')?.status).toBe(row.status);
});

test('evicted and replaced pods are no problem, nor are failed attempts of a Job that is done', () => {
  const { table } = tableOf();
  table.put(workload('daemonsets', 'agent'));
  table.putPod(
    pod('old', {
      status: 'Evicted',
      isOver: true,
      isReady: false,
      ...owned('DaemonSet', 'daemonsets/agent'),
    }),
  );
  table.putPod(pod('new', owned('DaemonSet', 'daemonsets/agent')));
  expect(rowOf(table, 'agent')).toMatchObject({ isFailing: false, podsReady: 1, podsTotal: 1 });
  table.put(workload('jobs', 'migrate', { note: { status: 'done', isFailing: false } }));
  table.putPod(
    pod('try', { status: 'Error', isOver: true, isReady: false, ...owned('Job', 'jobs/migrate') }),
  );
  expect(rowOf(table, 'migrate')).toMatchObject({ status: 'done', isFailing: false });
});

test('a CronJob shows its latest Job, and when it runs next', () => {
  const { table } = tableOf();
  const schedule = { text: '0 * * * *', timeZone: undefined };
  table.put(workload('cronjobs', 'report', { schedule }));
  const failed = { status: 'BackoffLimitExceeded', isFailing: true };
  const of = owned('CronJob', 'cronjobs/report');
  table.put(workload('jobs', 'report-1', { ...of, note: failed, createdAt: '2026-11-21T08:00:00Z' }));
  expect(rowOf(table, 'report')).toMatchObject({ ...failed, nextRunAt: '2026-11-21T11:00:00.000Z' });
  table.put(workload('jobs', 'report-2', { ...of, createdAt: '2026-11-21T09:00:00Z' }));
  table.putPod(
    pod('report-2-a', { isReady: false, status: 'ContainerCreating', ...owned('Job', 'jobs/report-2') }),
  );
  expect(rowOf(table, 'report')).toMatchObject({ isFailing: false, podsReady: 0, podsTotal: 1 });
  expect(listed(table)).toHaveLength(1);
  expect(rowOf(table, 'report-2-a')?.ownerId).toBe('cronjobs/report');
});

test('a pod says to which row it belongs, whatever becomes known, changes or goes', () => {
  const { table } = tableOf();
  const ownerId = () => rowOf(table, 'web-1-a')?.ownerId;
  table.put(workload('deployments', 'web'));
  table.putPod(pod('web-1-a', owned('ReplicaSet', 'replicasets/web-1')));
  expect(ownerId()).toBe('replicasets/web-1');
  table.put(workload('replicasets', 'web-1', owned('Deployment', 'deployments/web')));
  expect(ownerId()).toBe('deployments/web');
  table.put(workload('replicasets', 'web-1'));
  expect(ownerId()).toBe('replicasets/web-1');
  table.putPod(pod('web-1-a'));
  expect(ownerId()).toBeUndefined();
  table.putPod(pod('web-1-a', owned('Strange', 'stranger')));
  expect(ownerId()).toBeUndefined();
});

test('the last event is that of the workload or of any of its pods', () => {
  const { table, events } = tableOf();
  table.put(workload('statefulsets', 'db'));
  table.putPod(pod('db-0', owned('StatefulSet', 'statefulsets/db')));
  const event = (uid: string, about: string, at: string, reason: string) =>
    ({
      metadata: { uid },
      involvedObject: { uid: about },
      lastTimestamp: at,
      reason,
      message: 'm',
      type: 'Warning',
    }) as never;
  for (const one of [
    event('1', 'statefulsets/db', '2026-11-21T09:00:00Z', 'Old'),
    event('2', 'pods/db-0', '2026-11-21T09:30:00Z', 'BackOff'),
    event('3', 'pods/db-0', '2026-11-21T09:10:00Z', 'Earlier'),
  ]) {
    const about = events.put(one);
    if (about !== undefined) table.touch(about);
  }
  expect(rowOf(table, 'db')?.lastEvent).toEqual({
    at: '2026-11-21T09:30:00Z',
    reason: 'BackOff',
    message: 'm',
    isWarning: true,
  });
});

const warning = (uid: string, about: string, at: string, more: object = {}) =>
  ({
    metadata: { uid },
    involvedObject: { uid: about },
    firstTimestamp: '2026-11-21T09:05:00Z',
    lastTimestamp: at,
    count: 4,
    reason: 'BackOff',
    message: 'Back-off restarting',
    type: 'Warning',
    ...more,
  }) as never;

test('a warning of several pods has happened first when it first happened to one of them', () => {
  const { table, events } = tableOf();
  table.put(workload('statefulsets', 'db'));
  const of = owned('StatefulSet', 'statefulsets/db');
  for (const name of ['db-0', 'db-1', 'db-2']) table.putPod(pod(name, { isReady: false, ...of }));
  const first = (minutes: number) => ({ firstTimestamp: `2026-11-21T09:0${minutes}:00Z` });
  events.put(warning('1', 'pods/db-0', '2026-11-21T09:30:00Z', first(5)));
  events.put(warning('2', 'pods/db-1', '2026-11-21T09:29:00Z', first(3)));
  events.put(warning('3', 'pods/db-2', '2026-11-21T09:28:00Z', { ...first(1), reason: 'FailedMount' }));
  for (const name of ['db-0', 'db-1', 'db-2']) table.touch(`pods/${name}`);
  expect(rowOf(table, 'db')?.lastWarning).toMatchObject({
    at: '2026-11-21T09:30:00Z',
    firstAt: '2026-11-21T09:03:00Z',
    reason: 'BackOff',
  });
});

test('the last warning stays when calmer events follow, and is over when the pod became ready after it', () => {
  const { table, events } = tableOf();
  table.put(workload('statefulsets', 'db'));
  const of = owned('StatefulSet', 'statefulsets/db');
  table.putPod(pod('db-0', { isReady: false, ...of }));
  events.put(warning('1', 'pods/db-0', '2026-11-21T09:30:00Z'));
  events.put(warning('2', 'pods/db-0', '2026-11-21T09:31:00Z', { type: 'Normal', reason: 'Started' }));
  table.touch('pods/db-0');
  const wanted = {
    at: '2026-11-21T09:30:00Z',
    firstAt: '2026-11-21T09:05:00Z',
    count: 4,
    reason: 'BackOff',
    message: 'Back-off restarting',
  };
  expect(rowOf(table, 'db')).toMatchObject({
    lastEvent: { reason: 'Started' },
    lastWarning: { ...wanted, isOver: false },
  });
  table.putPod(pod('db-0', { readinessAt: '2026-11-21T09:30:10Z', ...of }));
  expect(rowOf(table, 'db')?.lastWarning).toEqual({ ...wanted, isOver: true });
  // An older warning of another pod, which still has a problem, is more useful.
  table.putPod(pod('db-1', { isReady: false, ...of }));
  events.put(warning('3', 'pods/db-1', '2026-11-21T09:20:00Z', { reason: 'FailedMount' }));
  table.touch('pods/db-1');
  expect(rowOf(table, 'db')?.lastWarning).toMatchObject({ reason: 'FailedMount', isOver: false });
  events.remove(warning('3', 'pods/db-1', ''));
  table.touch('pods/db-1');
  expect(rowOf(table, 'db')?.lastWarning).toMatchObject({ reason: 'BackOff', isOver: true });
});

test('a row has the ends of its containers by reason and exit code, the newest first, and no more than three', () => {
  const { table } = tableOf();
  table.put(workload('statefulsets', 'db', { wanted: 4 }));
  const exit = (minute: number, exitCode: number, reason: string) => ({
    pod: 'db',
    container: `c${minute}`,
    at: `2026-11-21T09:${minute}:00Z`,
    exitCode,
    reason,
  });
  const put = (name: string, ...exits: ReturnType<typeof exit>[]) =>
    table.putPod(pod(name, { exits, ...owned('StatefulSet', 'statefulsets/db') }));
  put('db-0', exit(30, 137, 'OOMKilled'), exit(27, 137, 'OOMKilled'), exit(20, 1, 'Error'));
  put('db-1', exit(31, 1, 'Error'), exit(28, 137, 'OOMKilled'));
  put('db-2', exit(10, 2, 'Error'));
  put('db-3', exit(11, 143, 'Error'));
  const row = rowOf(table, 'db');
  const firstAt = (minute: number) => `2026-11-21T09:${minute}:00Z`;
  expect(row?.lastExit).toMatchObject({
    at: '2026-11-21T09:31:00Z',
    firstAt: firstAt(20),
    exitCode: 1,
    pods: 2,
  });
  expect(row?.otherExits).toMatchObject([
    { at: '2026-11-21T09:30:00Z', firstAt: firstAt(27), exitCode: 137, pods: 2 },
    { at: '2026-11-21T09:11:00Z', exitCode: 143, pods: 1 },
  ]);
  expect(row?.otherExits?.[1]).not.toHaveProperty('firstAt');
});

test('an end is the first of its kind within an hour: what ended alike long before was another trouble', () => {
  const { table } = tableOf();
  table.put(workload('statefulsets', 'db', { wanted: 3 }));
  for (const [name, at] of Object.entries({ 'db-0': '07:00', 'db-1': '08:30', 'db-2': '09:15' }))
    table.putPod(
      pod(name, {
        exits: [{ pod: name, container: 'app', at: `2026-11-21T${at}:00Z`, exitCode: 1 }],
        ...owned('StatefulSet', 'statefulsets/db'),
      }),
    );
  expect(rowOf(table, 'db')?.lastExit).toMatchObject({
    at: '2026-11-21T09:15:00Z',
    firstAt: '2026-11-21T08:30:00Z',
    pods: 3,
  });
});

test('a row has the last end of its containers, and the time at which the first of its pods became unready', () => {
  const { table } = tableOf();
  table.put(workload('statefulsets', 'db', { wanted: 2 }));
  const of = owned('StatefulSet', 'statefulsets/db');
  const exit = (at: string) => ({ pod: 'db', container: 'app', at, exitCode: 1 });
  table.putPod(pod('db-0', { exits: [exit('2026-11-21T09:10:00Z')], ...of }));
  table.putPod(
    pod('db-1', {
      isReady: false,
      readinessAt: '2026-11-21T09:20:00Z',
      exits: [exit('2026-11-21T09:19:59Z')],
      ...of,
    }),
  );
  expect(rowOf(table, 'db')).toMatchObject({
    lastExit: { at: '2026-11-21T09:19:59Z', pods: 2 },
    notReadySince: '2026-11-21T09:20:00Z',
  });
  // A pod that is being replaced counts as missing from the moment it leaves.
  table.putPod(pod('db-1', { isLeaving: true, leavesAt: '2026-11-21T09:40:00Z', ...of }));
  expect(rowOf(table, 'db')?.notReadySince).toBe('2026-11-21T09:40:00Z');
  table.removePod('pods/db-1');
  table.putPod(pod('db-2', of));
  expect(rowOf(table, 'db')?.notReadySince).toBeUndefined();
});

test('what is suspended is idle, whatever its last pods came to', () => {
  const { table } = tableOf();
  table.put(workload('cronjobs', 'report', { note: { status: 'suspended', isFailing: false } }));
  table.put(workload('jobs', 'report-1', owned('CronJob', 'cronjobs/report')));
  table.putPod(
    pod('report-1-a', { isOver: true, isReady: false, status: 'Error', ...owned('Job', 'jobs/report-1') }),
  );
  expect(rowOf(table, 'report')).toMatchObject({ status: 'suspended', isFailing: false });
});

test('without permission to get an owner, its objects have rows of their own', () => {
  const { table } = tableOf((kind) => kind === 'deployments');
  table.put(workload('replicasets', 'web-1', owned('Deployment', 'deployments/web')));
  table.putPod(pod('web-1-a', owned('ReplicaSet', 'replicasets/web-1')));
  expect(rowOf(table, 'web-1')).toMatchObject({ kind: 'replicasets' });
  expect(rowOf(table, 'web-1-a')?.ownerId).toBe('replicasets/web-1');
});

const change = fc.record({
  what: fc.constantFrom('deployment', 'replicaset', 'pod'),
  which: fc.nat(3),
  owner: fc.nat(3),
  remove: fc.boolean(),
  isReady: fc.boolean(),
  flush: fc.boolean(),
});

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** Returns how the object of a change gets into a table and out of it. */
function objectOf({ what, which, owner, isReady }: Change) {
  if (what === 'pod') {
    const facts = pod(`p${which}`, { isReady, ...owned('ReplicaSet', `replicasets/r${owner}`) });
    return {
      putInto: (table: WorkloadTable) => table.putPod(facts),
      removeFrom: (table: WorkloadTable) => table.removePod(facts.uid),
    };
  }
  const facts =
    what === 'deployment'
      ? workload('deployments', `d${which}`, { wanted: owner })
      : workload('replicasets', `r${which}`, owned('Deployment', `deployments/d${owner}`));
  return {
    putInto: (table: WorkloadTable) => table.put(facts),
    removeFrom: (table: WorkloadTable) => table.remove(facts.uid),
  };
}

test('rows kept up to date change by change are those of a table that saw only the end', () => {
  fc.assert(
    fc.property(fc.array(change, { minLength: 20, maxLength: 80 }), (changes) => {
      const { table } = tableOf();
      const present = new Map<string, (to: WorkloadTable) => void>();
      for (const one of changes) {
        const object = objectOf(one);
        const key = `${one.what}${one.which}`;
        if (one.remove) object.removeFrom(table);
        else object.putInto(table);
        if (one.remove) present.delete(key);
        else present.set(key, object.putInto);
        if (one.flush) table.takeChanges();
      }
      table.takeChanges();
      const { table: fresh } = tableOf();
      for (const put of present.values()) put(fresh);
      fresh.takeChanges();
      const sorted = (rows: Iterable<Workload>) => [...rows].toSorted((a, b) => (a.id < b.id ? -1 : 1));
      expect(sorted(table.rows)).toEqual(sorted(fresh.rows));
    }),
  );
});
