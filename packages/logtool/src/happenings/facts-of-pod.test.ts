import { readFileSync } from 'node:fs';
import type { KubeObject } from '@logtool/kube/src/client.ts';
import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import { expect, test } from 'vitest';
import type { Fact } from '../domain/facts/fact.ts';
import { slimPodWithHistory } from '../resolve/pods/slim-pod.ts';
import { factsOfPod } from './facts-of-pod.ts';

const RECORDED = new URL('../../../../test/recorded/list/', import.meta.url);

function recorded(name: string): KubeObject {
  return JSON.parse(JSON.parse(readFileSync(new URL(`${name}.json`, RECORDED), 'utf8')).response.body);
}

/** Formats `02 fatal exited check Error {...}`, because whole facts of recorded pods are long. */
function line({ at, bound, severity, kind, subject, reason, data }: Fact): string {
  const time = `${bound === undefined ? '' : '>='}${formatTimestamp(at).slice(14, 19)}`;
  const shown = Object.keys(data).length === 0 ? '' : JSON.stringify(data);
  return [time, severity, kind, subject.container, reason, shown].filter(Boolean).join(' ');
}

const linesOf = (pod: KubeObject, isGone = false) => factsOfPod(pod, isGone).map(line);

test('a crash loop has the last run, the wait, and the loss of readiness', () => {
  expect(linesOf(recorded('pod-crasher'))).toMatchInlineSnapshot(`
    [
      "57:44 normal restarted crasher {"restarts":6,"image":"registry.example.com/shop/tools:1.0.0"}",
      "57:45 fatal exited crasher Error {"exitCode":1,"lastedMs":1000,"restarts":6,"isInit":false,"wasDeleted":false}",
      ">=57:45 warning waiting crasher CrashLoopBackOff {"image":"registry.example.com/shop/tools:1.0.0","restarts":6}",
      "57:46 warning not-ready ContainersNotReady",
      "52:04 normal scheduled {"node":"node-1"}",
    ]
  `);
});

test('a container that waits to be restarted has the count of the run that ended', () => {
  const steps = (
    JSON.parse(readFileSync(new URL('../restarts/restart-with-rotated.json', RECORDED), 'utf8')) as {
      readonly steps: readonly { readonly restartCount: number; readonly state: string }[];
    }
  ).steps;
  const counts = steps.map(({ state, restartCount }) => `${state} ${restartCount}`);
  // A real kubelet: the count grows with the start of a run, not with the wait for it.
  expect([...new Set(counts)].slice(0, 6)).toEqual([
    'running 0',
    'terminated 0',
    'running 1',
    'terminated 1',
    'waiting 1',
    'running 2',
  ]);
  const pod = recorded('pod-crasher') as KubeObject & {
    readonly status: { readonly containerStatuses: readonly [Readonly<Record<string, unknown>>] };
  };
  const [status] = pod.status.containerStatuses;
  const running = { ...status, restartCount: 7, state: { running: { startedAt: '2026-11-21T02:02:50Z' } } };
  const restartsOf = (object: KubeObject) =>
    factsOfPod(object).flatMap((fact) =>
      fact.kind === 'restarted' || fact.kind === 'exited' ? [`${fact.kind} ${fact.data.restarts}`] : [],
    );
  const later = { ...pod, status: { ...pod.status, containerStatuses: [running] } };
  expect(restartsOf(pod)).toEqual(['restarted 6', 'exited 6']);
  expect(restartsOf(later)).toEqual(['restarted 6', 'exited 6', 'restarted 7']);
});

test("an image that a node cannot pull has the registry's answer", () => {
  const facts = factsOfPod(recorded('pod-bad-image'));
  expect(facts.map(line)).toMatchInlineSnapshot(`
    [
      ">=52:05 warning waiting cart ImagePullBackOff {"image":"registry.example.com:5999/shop/cart:9.9.9","restarts":0}",
      "52:05 warning not-ready ContainersNotReady",
      "52:04 normal scheduled {"node":"node-1"}",
    ]
  `);
  expect(facts[0]?.message).toContain('connect: connection refused');
});

test('a failing init container is one', () => {
  expect(linesOf(recorded('pod-init-fails'))).toMatchInlineSnapshot(`
    [
      "57:55 normal restarted check {"restarts":6,"image":"registry.example.com/shop/tools:1.0.0"}",
      "57:55 fatal exited check Error {"exitCode":3,"lastedMs":0,"restarts":6,"isInit":true,"wasDeleted":false}",
      ">=57:55 warning waiting check CrashLoopBackOff {"image":"registry.example.com/shop/tools:1.0.0","restarts":6}",
      ">=52:05 normal waiting main PodInitializing {"image":"registry.example.com/shop/tools:1.0.0","restarts":0}",
      "52:05 warning not-ready ContainersNotReady",
      "52:04 normal scheduled {"node":"node-1"}",
    ]
  `);
});

test('a pod without a node has the words of the scheduler', () => {
  const facts = factsOfPod(recorded('pod-unschedulable'));
  expect(facts.map(line)).toMatchInlineSnapshot(`
    [
      "52:04 warning unschedulable Unschedulable",
    ]
  `);
  expect(facts[0]?.message).toMatch(/^0\/1 nodes are available/);
});

test('a pod that completed is not unready', () => {
  expect(linesOf(recorded('pod-odd-exit'))).toMatchInlineSnapshot(`
    [
      "52:06 normal started odd {"restarts":0,"image":"registry.example.com/shop/tools:1.0.0"}",
      "52:08 normal exited odd Completed {"exitCode":0,"lastedMs":2000,"restarts":0,"isInit":false,"wasDeleted":false}",
      "52:04 normal scheduled {"node":"node-1"}",
    ]
  `);
});

test('a restart names the exit before it, and how long it took', () => {
  const facts = factsOfPod(recorded('pod-once-crashed'));
  expect(facts.map(line)).toMatchInlineSnapshot(`
    [
      "56:15 normal started main {"restarts":0,"image":"registry.example.com/shop/tools:1.0.0"}",
      "56:15 fatal exited main Error {"exitCode":7,"lastedMs":0,"restarts":0,"isInit":false,"wasDeleted":false}",
      "56:16 normal restarted main {"restarts":1,"image":"registry.example.com/shop/tools:1.0.0","afterMs":1000}",
      "56:17 normal ready",
      "56:15 normal scheduled {"node":"node-1"}",
    ]
  `);
  const [exit, start] = ['exited', 'restarted'].map((kind) => facts.find((fact) => fact.kind === kind));
  expect(start?.cause).toBe(exit?.id);
});

test('of a pod with only its kept fields the same is read', () => {
  for (const name of [
    'crasher',
    'bad-image',
    'init-fails',
    'unschedulable',
    'odd-exit',
    'once-crashed',
    'web',
  ]) {
    const pod = recorded(`pod-${name}`);
    expect(factsOfPod(slimPodWithHistory(pod))).toEqual(factsOfPod(pod));
  }
});

const UNTIL = { deletionTimestamp: '2026-11-21T02:00:30Z', deletionGracePeriodSeconds: 30 };

function withStatus(metadata: object, status: object): KubeObject {
  const pod = recorded('pod-web') as KubeObject & { readonly status: object };
  return {
    ...pod,
    metadata: { ...pod.metadata, ...metadata },
    status: { ...pod.status, ...status },
  } as KubeObject;
}

test('deletion was asked for a grace period before its timestamp', () => {
  expect(linesOf(withStatus(UNTIL, {})).at(-1)).toBe('00:00 normal deleted {"graceSeconds":30}');
});

test.each([
  ['EvictionByEvictionAPI', 0, 'EvictionByEvictionAPI'],
  ['DeletionByTaintManager', 1, 'DeletionByTaintManager'],
  // Another may have deleted it later, or earlier.
  ['EvictionByEvictionAPI', -60, undefined],
  ['TerminationByKubelet', 0, undefined],
])('deletion right after the condition %s (%i s) was by the component that set it', (reason, seconds, by) => {
  const at = new Date(Date.parse('2026-11-21T02:00:00Z') + seconds * 1_000).toISOString();
  const condition = { type: 'DisruptionTarget', status: 'True', reason, lastTransitionTime: at };
  const fact = factsOfPod(withStatus(UNTIL, { conditions: [condition] })).find(
    ({ kind }) => kind === 'deleted',
  );
  expect(fact?.data).toEqual({ graceSeconds: 30, by });
});

test('a pod that is gone without a word was deleted no earlier than its last change', () => {
  expect(linesOf(withStatus({}, {}), true).at(-1)).toMatch(/^>=52:\d\d normal deleted \{\}$/);
});

test.each([
  [143, 'normal'],
  [137, 'warning'],
  [1, 'warning'],
  [0, 'normal'],
])('an exit with %i after a deletion is %s', (exitCode, severity) => {
  const terminated = { exitCode, startedAt: '2026-11-21T01:52:06Z', finishedAt: '2026-11-21T02:00:05Z' };
  const pod = withStatus(UNTIL, {
    containerStatuses: [{ name: 'app', state: { terminated }, restartCount: 0 }],
  });
  expect(factsOfPod(pod).find(({ kind }) => kind === 'exited')?.severity).toBe(severity);
});

test.each([
  ['EvictionByEvictionAPI', 'evicted'],
  ['DeletionByTaintManager', 'evicted'],
  ['PreemptionByScheduler', 'preempted'],
])('a disruption by %s is %s', (reason, kind) => {
  const condition = { type: 'DisruptionTarget', status: 'True', reason, message: 'why' };
  const pod = withStatus({}, { conditions: [{ ...condition, lastTransitionTime: '2026-11-21T02:00:00Z' }] });
  expect(factsOfPod(pod).filter((fact) => fact.kind === kind)).toMatchObject([{ reason, message: 'why' }]);
});

test('an eviction by the kubelet has its words, at the time of the disruption', () => {
  const conditions = [
    {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'TerminationByKubelet',
      lastTransitionTime: '2026-11-21T02:00:00Z',
    },
  ];
  const message = 'The node was low on resource: memory.';
  const facts = factsOfPod(withStatus({}, { phase: 'Failed', reason: 'Evicted', message, conditions }));
  expect(facts.at(-1)).toMatchObject({ kind: 'evicted', message, at: { seconds: 1_795_226_400 } });
});

test('a run that could not start has an exit and no start', () => {
  const terminated = {
    exitCode: 128,
    reason: 'StartError',
    message: 'exec: "nope": executable file not found in $PATH',
    startedAt: '1970-01-01T00:00:00Z',
    finishedAt: '2026-11-21T02:00:05Z',
  };
  const pod = withStatus(
    {},
    { containerStatuses: [{ name: 'app', state: { terminated }, restartCount: 0 }] },
  );
  const facts = factsOfPod(pod).filter(({ subject }) => subject.container === 'app');
  expect(facts.map(line)).toEqual([
    '00:05 fatal exited app StartError {"exitCode":128,"memoryLimit":"64Mi","restarts":0,"isInit":false,"wasDeleted":false}',
  ]);
});
