import { expect, test } from 'vitest';
import { eventFact, exitFact } from '../../../../../test/support/domain/facts.ts';
import { containerNow, evidenceOf, podNow } from '../../../../../test/support/why/evidence.ts';
import type { Fact, FactOf, FactSubject } from '../../domain/facts/fact.ts';
import type { Evidence } from './evidence.ts';
import { judge } from './judge.ts';
import type { PodNow } from './pod-now.ts';

const at = (seconds: number) => ({ seconds, nanos: 0 });
const POD: FactSubject = { kind: 'Pod', namespace: 'shop', name: 'web-1', uid: 'web-1' };
const APP: FactSubject = { ...POD, container: 'app' };
const NODE: FactSubject = { kind: 'Node', namespace: '', name: 'node-1', uid: 'n1' };
const SET: FactSubject = { kind: 'ReplicaSet', namespace: 'shop', name: 'web', uid: 'rs' };
const DEPLOYMENT: FactSubject = { ...SET, kind: 'Deployment', uid: 'deployment' };

let ids = 0;

function exit(exitCode: number, reason = 'Error', data: Partial<FactOf<'exited'>['data']> = {}): Fact {
  return exitFact({
    id: `exit ${++ids}`,
    at: at(9_000),
    reason,
    data: { exitCode, restarts: 0, isInit: false, wasDeleted: false, ...data },
  });
}

function exitAt(seconds: number, exitCode: number, data: Partial<FactOf<'exited'>['data']> = {}): Fact {
  return { ...exit(exitCode, 'Error', data), at: at(seconds) };
}

function event(
  reason: string,
  message: string,
  subject: FactSubject = APP,
  seconds = 9_000,
  series: Partial<Pick<FactOf<'event'>, 'until' | 'count'>> = {},
): Fact {
  const id = `event ${++ids}`;
  return eventFact({ id, at: at(seconds), reason, message, subject, severity: 'warning', ...series });
}

const quotaText = (pod: string, used: number) =>
  `Error creating: pods "${pod}" is forbidden: exceeded quota: compute, requested: pods=1, used: pods=${used}, limited: pods=4`;

const unhealthy = (probe: string, seconds: number, series: Partial<FactOf<'event'>> = {}) =>
  event('Unhealthy', `${probe} probe failed: HTTP probe failed with statuscode: 503`, APP, seconds, series);

function killing(why: string, seconds: number, series: Partial<FactOf<'event'>> = {}): Fact {
  return event('Killing', `Container app ${why}, will be restarted`, APP, seconds, series);
}

type Rest = Partial<Pick<Fact, 'reason' | 'message' | 'subject' | 'severity' | 'at'>>;

/** Makes a fact of another kind. */
function fact<K extends Fact['kind']>(kind: K, data: FactOf<K>['data'], rest: Rest = {}): Fact {
  const base = {
    id: `${kind} ${++ids}`,
    at: at(9_000),
    precision: 's',
    severity: 'warning',
    subject: POD,
    reason: '',
    message: '',
    count: 1,
    source: 'pod',
  } as const;
  return { ...base, ...rest, kind, data } as unknown as Fact;
}

const waiting = (reason: string, message = '') =>
  fact('waiting', { image: 'shop/web:v1', restarts: 0 }, { reason, message, subject: APP });

interface Case {
  readonly facts: readonly Fact[];
  readonly codes: readonly string[];
  readonly pods?: readonly PodNow[];
  readonly data?: Readonly<Record<string, unknown>>;
  readonly doubts?: readonly string[];
}

const READY = [podNow({ isReady: true, containers: [containerNow({ isReady: true })] })];
const RECOVERED = 'over';
const IN_BACK_OFF = [
  podNow({ containers: [containerNow({ restarts: 4, isRunning: false, waiting: 'CrashLoopBackOff' })] }),
];

const SYNC = 'MountVolume.SetUp failed for volume "kube-api-access-7x2kq" : failed to sync configmap cache';
const NO_NETWORK =
  'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "2f3c"';
const READY_PROBED = [
  podNow({
    isReady: true,
    containers: [
      containerNow({ isReady: true, probeSeconds: { readiness: 33 }, probeThresholds: { readiness: 3 } }),
    ],
  }),
];
const PROBED = [
  podNow({
    containers: [
      containerNow({
        probeSeconds: { liveness: 33 },
        probeMinSeconds: { liveness: 20 },
        probeThresholds: { liveness: 3 },
      }),
    ],
  }),
];
/** A pod of a Job that has ended. */
const ENDED = [podNow({ phase: 'Failed', isOver: true, owner: { kind: 'Job', name: 'web' } })];
/** Its startup probe fails up to 40 times, each 2 s. */
const STARTING = [
  podNow({
    containers: [
      containerNow({
        restarts: 4,
        isRunning: false,
        isStarted: false,
        waiting: 'CrashLoopBackOff',
        probeSeconds: { startup: 120 },
        probeMinSeconds: { startup: 78 },
        probeThresholds: { startup: 40 },
      }),
    ],
  }),
];

const CASES: Readonly<Record<string, Case>> = {
  'a status that says OOMKilled': { facts: [exit(137, 'OOMKilled')], codes: ['oom-container'] },
  '137 without a reason is a signal of an unknown sender': {
    facts: [exit(137)],
    codes: ['stopped-by-signal'],
    doubts: ['sender-unknown', 'code-of-program'],
  },
  '137 near a process that the kernel killed on its node': {
    facts: [exit(137), event('OOMKilling', 'Memory cgroup out of memory: Killed process 7 (other)', NODE)],
    codes: ['stopped-by-signal'],
    doubts: ['sender-unknown', 'code-of-program', 'oom-on-node'],
  },
  '137 near a process that the kernel killed on another node': {
    facts: [
      exit(137),
      event('OOMKilling', 'Memory cgroup out of memory: Killed process 7 (other)', {
        ...NODE,
        name: 'node-2',
      }),
    ],
    codes: ['stopped-by-signal'],
    doubts: ['sender-unknown', 'code-of-program'],
  },
  '137 after the liveness probe': {
    facts: [exit(137), event('Killing', 'Container app failed liveness probe, will be restarted')],
    codes: ['probe-killed'],
    data: { probe: 'liveness' },
    doubts: [],
  },
  'any code shortly after the startup probe': {
    facts: [exit(1), event('Killing', 'Container app failed startup probe, will be restarted', APP, 8_970)],
    codes: ['probe-killed'],
    data: { probe: 'startup' },
  },
  'a code of its own long after a kill by the probe': {
    facts: [exit(1), event('Killing', 'Container app failed liveness probe, will be restarted', APP, 5_000)],
    codes: ['crashed'],
  },
  '137 long after a kill by the probe is not of the probe': {
    facts: [exit(137), killing('failed liveness probe', 5_000)],
    codes: ['stopped-by-signal'],
    doubts: ['sender-unknown', 'code-of-program', 'earlier-kill'],
  },
  '137 of a run that began after a kill by the probe is not of the probe': {
    facts: [exit(137, 'Error', { lastedMs: 20_000 }), killing('failed liveness probe', 8_978)],
    codes: ['stopped-by-signal'],
    doubts: ['sender-unknown', 'code-of-program', 'earlier-kill'],
  },
  'a run between the first and the last kill of a series has none of its own': {
    facts: [exit(1), killing('failed liveness probe', 5_000, { until: at(9_500), count: 2 })],
    codes: ['crashed'],
    doubts: [],
  },
  '0 after the liveness probe is a kill by the probe': {
    facts: [exit(0, 'Completed'), killing('failed liveness probe', 8_999)],
    codes: ['probe-killed'],
    data: { probe: 'liveness', exitCode: 0 },
    doubts: [],
    pods: READY,
  },
  '0 after the startup probe is a kill by the probe, whether or not the container waits': {
    facts: [exit(0, 'Completed'), killing('failed startup probe', 8_999), waiting('CrashLoopBackOff')],
    codes: ['probe-killed'],
    data: { probe: 'startup' },
    pods: IN_BACK_OFF,
  },
  'a kill by the probe as long before the end as the grace period': {
    facts: [exit(137), killing('failed liveness probe', 8_400)],
    codes: ['probe-killed'],
    pods: [podNow({ graceSeconds: 600 })],
  },
  'a kill by the probe longer before the end than the grace period': {
    facts: [exit(137), killing('failed liveness probe', 8_400)],
    codes: ['stopped-by-signal'],
  },
  'a kill by the probe of an earlier run, and as many failures in this one as a kill needs': {
    facts: [
      exit(2, 'Error', { lastedMs: 300_000 }),
      killing('failed liveness probe', 5_000),
      unhealthy('Liveness', 8_960, { until: at(8_980), count: 3 }),
    ],
    codes: ['probe-killed'],
    doubts: ['end-without-event'],
    pods: PROBED,
  },
  'a kill by the probe of an earlier run, and fewer failures in this one': {
    facts: [
      exit(2, 'Error', { lastedMs: 300_000 }),
      killing('failed liveness probe', 5_000),
      unhealthy('Liveness', 8_970, { until: at(8_980), count: 2 }),
    ],
    codes: ['crashed'],
    doubts: [],
    pods: PROBED,
  },
  'a kill by the probe of an earlier run, and a failure long before the end of this one': {
    facts: [
      exit(137, 'Error', { lastedMs: 3_000_000 }),
      killing('failed liveness probe', 5_000),
      event('Unhealthy', 'Liveness probe failed: HTTP probe failed with statuscode: 503', APP, 6_010),
    ],
    codes: ['stopped-by-signal'],
    doubts: ['sender-unknown', 'code-of-program', 'earlier-kill'],
  },
  'a kill by the probe of an earlier run, and so many events that later ones may be dropped': {
    facts: [
      exit(0, 'Completed', { lastedMs: 25_000 }),
      killing('failed startup probe', 5_000),
      event('Unhealthy', 'Startup probe failed: 503', APP, 5_000, { count: 24 }),
      waiting('CrashLoopBackOff'),
    ],
    codes: ['probe-killed'],
    doubts: ['end-without-event', 'earlier-ends-unknown'],
    pods: IN_BACK_OFF,
  },
  'a code of its own among so many events keeps the doubt': {
    facts: [
      exit(1, 'Error', { lastedMs: 25_000 }),
      killing('failed startup probe', 5_000),
      event('Unhealthy', 'Startup probe failed: 503', APP, 5_000, { count: 24 }),
    ],
    codes: ['crashed'],
    doubts: ['earlier-kill', 'earlier-ends-unknown'],
    pods: IN_BACK_OFF,
  },
  'a crash in a pod that the deadline ended later': {
    facts: [
      exitAt(8_000, 2, { restarts: 3 }),
      exit(143, 'Error', { restarts: 4 }),
      fact('failed', {}, { reason: 'DeadlineExceeded', at: at(2_000) }),
    ],
    codes: ['crashed', 'deadline-exceeded'],
    pods: ENDED,
  },
  'a crash in whose back-off the deadline of its pod passed': {
    facts: [exit(2), fact('failed', {}, { reason: 'DeadlineExceeded', at: at(2_000) })],
    codes: ['crashed', 'deadline-exceeded'],
    pods: ENDED,
  },
  'an end by the deadline of the pod': {
    facts: [
      exit(1),
      event('Killing', 'Stopping container app', APP, 8_999),
      fact('failed', {}, { reason: 'DeadlineExceeded', at: at(2_000) }),
    ],
    codes: ['deadline-exceeded'],
    pods: ENDED,
  },
  'an autoscaler that has no metrics': {
    facts: [
      fact(
        'workload-condition',
        { type: 'ScalingActive', status: 'False' },
        { reason: 'FailedGetResourceMetric', message: 'no metrics returned', subject: DEPLOYMENT },
      ),
    ],
    codes: ['autoscaler-failing'],
    data: { message: 'no metrics returned' },
    pods: READY,
  },
  'an autoscaler that has no metrics yet of new pods': {
    facts: [
      fact(
        'workload-condition',
        { type: 'ScalingActive', status: 'False' },
        { reason: 'FailedGetResourceMetric', subject: DEPLOYMENT, at: at(9_900) },
      ),
    ],
    codes: [],
    pods: READY,
  },
  'a definition that was changed': {
    facts: [exit(143), event('Killing', 'Container app definition changed, will be restarted')],
    codes: ['killed-by-kubelet'],
    data: { message: 'Container app definition changed, will be restarted', exitCode: 143 },
    doubts: [],
  },
  'a hook after the start that failed': {
    facts: [
      exit(137),
      event('FailedPostStartHook', 'PostStartHook failed'),
      event('Killing', 'FailedPostStartHook'),
    ],
    codes: ['killed-by-kubelet'],
    data: { message: 'PostStartHook failed' },
    doubts: [],
  },
  'a hook after the start that failed in an earlier run, and many events': {
    facts: [
      exit(137, 'Error', { lastedMs: 3_000 }),
      event('FailedPostStartHook', 'PostStartHook failed', APP, 5_000, { count: 12 }),
      event('Killing', 'FailedPostStartHook', APP, 5_000, { count: 13 }),
    ],
    codes: ['killed-by-kubelet'],
    doubts: ['end-without-event'],
  },
  'a sandbox that the kubelet replaced': {
    facts: [
      exit(137),
      event('SandboxChanged', 'Pod sandbox changed, it will be killed and re-created.', POD),
      event('Killing', 'Stopping container app'),
    ],
    codes: ['killed-by-kubelet'],
    data: { message: 'Pod sandbox changed, it will be killed and re-created.' },
    doubts: [],
  },
  'a container that the kubelet stops without a reason': {
    facts: [exit(143), event('Killing', 'Stopping container app')],
    codes: ['killed-by-kubelet'],
    doubts: ['kubelet-gives-no-reason'],
  },
  'a sidecar that the kubelet stops in a pod that has ended': {
    facts: [exit(143), event('Killing', 'Stopping container app')],
    codes: [],
    pods: [podNow({ phase: 'Succeeded', isOver: true })],
  },
  '129 and 130 are signals of an unknown sender': {
    facts: [exit(129), exit(130)],
    codes: ['stopped-by-signal', 'stopped-by-signal'],
    data: { signal: 1 },
    doubts: ['sender-unknown', 'code-of-program'],
  },
  '141 is a signal of the program itself': {
    facts: [exit(141)],
    codes: ['crashed-by-signal'],
    data: { signal: 13 },
  },
  '145 is a signal that ends no program': { facts: [exit(145)], codes: ['crashed'] },
  '0 before the failure that the container waits after': {
    facts: [
      exit(0, 'Completed'),
      exitFact({ id: 'later', at: at(9_100), reason: 'Error' }),
      waiting('CrashLoopBackOff'),
    ],
    codes: ['crashed'],
    pods: IN_BACK_OFF,
  },
  '137 after the liveness probe of another container': {
    facts: [
      exit(137),
      event('Killing', 'Container sidecar failed liveness probe, will be restarted', {
        ...POD,
        container: 'sidecar',
      }),
    ],
    codes: ['stopped-by-signal'],
  },
  '137 of a pod that was evicted': {
    facts: [
      exit(137),
      fact(
        'evicted',
        { node: 'node-1' },
        { reason: 'Evicted', message: 'The node was low on resource: memory.' },
      ),
    ],
    codes: ['evicted'],
    data: { node: 'node-1', message: 'The node was low on resource: memory.' },
  },
  'an end for memory long before the eviction': {
    facts: [
      exit(137, 'OOMKilled'),
      fact('evicted', { node: 'node-1' }, { reason: 'Evicted', at: at(9_600) }),
    ],
    codes: ['evicted', 'oom-container'],
  },
  'an eviction that was asked for': {
    facts: [fact('evicted', { node: 'node-1' }, { reason: 'EvictionByEvictionAPI' })],
    codes: ['evicted-by-request'],
  },
  '143 of a pod that is deleted': {
    facts: [exit(143, 'Error', { wasDeleted: true })],
    codes: [],
    pods: READY,
  },
  '143 of a pod that stays': { facts: [exit(143)], codes: ['stopped-by-signal'], data: { signal: 15 } },
  '139 is a signal of the program itself': {
    facts: [exit(139)],
    codes: ['crashed-by-signal'],
    data: { signal: 11 },
  },
  '127 is a program that is missing': { facts: [exit(127)], codes: ['program-missing'] },
  'a command that cannot be started': {
    facts: [exit(128, 'StartError')],
    codes: ['command-not-started'],
  },
  'an init container': { facts: [exit(1, 'Error', { isInit: true })], codes: ['init-failed'] },
  '0 is no failure': { facts: [exit(0, 'Completed')], codes: [], pods: READY },
  '0 again and again': {
    facts: [exit(0, 'Completed'), waiting('CrashLoopBackOff')],
    codes: ['ended-without-failure'],
    pods: IN_BACK_OFF,
  },
  'two exit codes are two verdicts': { facts: [exit(1), exit(2)], codes: ['crashed', 'crashed'] },
  'both ends of a container are known, each by its own verdict': {
    facts: [exit(1), exit(2)],
    codes: ['crashed', 'crashed'],
    doubts: [],
    pods: [podNow({ containers: [containerNow({ restarts: 2 })] })],
  },
  '255 with a boot of the node': {
    facts: [exit(255, 'Unknown'), event('Rebooted', 'Node node-1 has been rebooted', NODE, 9_010)],
    codes: ['node-rebooted'],
  },
  'a pod with a scheduling gate': {
    facts: [fact('unschedulable', {}, { reason: 'SchedulingGated', message: 'Scheduling is blocked' })],
    codes: ['scheduling-gated'],
    data: { message: 'Scheduling is blocked' },
  },
  'a pod whose readiness gate is closed': {
    facts: [fact('not-ready', {}, { reason: 'ReadinessGatesNotReady', message: 'gate "x" does not exist' })],
    codes: ['readiness-gated'],
  },
  'a pod whose readiness gate was closed': {
    facts: [fact('not-ready', {}, { reason: 'ReadinessGatesNotReady', message: 'gate "x" does not exist' })],
    codes: [],
    pods: READY,
  },
  'an init container that runs': {
    facts: [fact('started', { restarts: 0 }, { subject: APP })],
    codes: ['init-running'],
    pods: [podNow({ containers: [containerNow({ isInit: true })] })],
  },
  'a container that runs beside the main one': {
    facts: [fact('started', { restarts: 0 }, { subject: APP })],
    codes: [],
  },
  'a Job whose sidecar runs on': {
    facts: [exit(0, 'Completed')],
    codes: ['job-held'],
    data: { container: 'app', running: ['proxy'] },
    pods: [
      podNow({
        owner: { kind: 'Job', name: 'import' },
        containers: [containerNow({ isRunning: false }), containerNow({ name: 'proxy' })],
      }),
    ],
  },
  'a sandbox that cannot be created': {
    facts: [
      waiting('ContainerCreating'),
      event('FailedMount', SYNC, POD, 8_500),
      event('FailedCreatePodSandBox', NO_NETWORK, POD, 8_600, { until: at(9_900), count: 88 }),
    ],
    codes: ['sandbox-not-created'],
    doubts: [],
  },
  'a mount that failed long ago, and nothing since': {
    facts: [waiting('ContainerCreating'), event('FailedMount', SYNC, POD, 8_500)],
    codes: ['volume-not-mounted'],
    doubts: ['failure-old'],
  },
  'an image that is being pulled after its volume was attached and its ConfigMap found': {
    facts: [
      waiting('ContainerCreating'),
      event('FailedAttachVolume', 'Multi-Attach error for volume "files" Volume is already used', POD, 8_400),
      event('SuccessfulAttachVolume', 'AttachVolume.Attach succeeded for volume "files"', POD, 8_500),
      event('FailedMount', 'MountVolume.SetUp failed for volume "f" : configmap "web" not found', POD, 8_600),
      event('Pulling', 'Pulling image "shop/web:v1"', APP, 8_700),
    ],
    codes: ['image-pulling'],
    data: { container: 'app', image: 'shop/web:v1' },
  },
  'a volume that is attached while another is not': {
    facts: [
      waiting('ContainerCreating'),
      event('FailedAttachVolume', 'Multi-Attach error for volume "files" Volume is already used', POD, 9_400),
      event('SuccessfulAttachVolume', 'AttachVolume.Attach succeeded for volume "data"', POD, 9_500),
    ],
    codes: ['volume-in-use'],
    data: { volume: 'files' },
  },
  'an image that was pulled': {
    facts: [
      waiting('ContainerCreating'),
      event('Pulling', 'Pulling image "shop/web:v1"', APP, 8_700),
      event('Pulled', 'Successfully pulled image "shop/web:v1" in 2s', APP, 8_702),
    ],
    codes: [],
  },
  'a slow start whose readiness probe failed at first': {
    facts: [
      unhealthy('Readiness', 1_010, { until: at(1_100), count: 9 }),
      fact('ready', {}, { at: at(1_110) }),
    ],
    codes: [],
    pods: READY_PROBED,
  },
  'a readiness probe that failed long after the start': {
    facts: [
      unhealthy('Readiness', 8_000, { until: at(9_000), count: 9 }),
      fact('ready', {}, { at: at(9_010) }),
    ],
    codes: ['probe-failing'],
    pods: READY_PROBED,
  },
  'a back-off of a pod that is gone': {
    facts: [
      event('BackOff', 'Back-off restarting failed container app in pod old', {
        ...APP,
        uid: 'old',
        name: 'old',
      }),
    ],
    codes: ['restarted-again'],
    doubts: ['ends-unknown', 'pods-by-name'],
    pods: READY,
  },
  'a back-off of a pull is no restart': {
    facts: [event('BackOff', 'Back-off pulling image "a:b"', { ...APP, uid: 'old', name: 'old' })],
    codes: [],
    pods: READY,
  },
  '255 of a run that began after the boot': {
    facts: [
      exit(255, 'Error', { lastedMs: 3_000 }),
      event('Rebooted', 'Node node-1 has been rebooted', NODE, 8_700),
    ],
    codes: ['crashed'],
  },
  '255 of a run that began before the boot': {
    facts: [
      exit(255, 'Error', { lastedMs: 400_000 }),
      event('Rebooted', 'Node node-1 has been rebooted', NODE, 8_700),
    ],
    codes: ['node-rebooted'],
  },
  '137 in the second in which the node ran out of memory': {
    facts: [exit(137), event('SystemOOM', 'System OOM encountered, victim process: app, pid: 42', NODE)],
    codes: ['oom-node'],
    data: { node: 'node-1', process: 'app' },
    doubts: ['oom-names-no-container'],
  },
  '137 half a minute after the node ran out of memory': {
    facts: [
      exit(137),
      event('SystemOOM', 'System OOM encountered, victim process: app, pid: 42', NODE, 8_970),
    ],
    codes: ['stopped-by-signal'],
    doubts: ['sender-unknown', 'code-of-program', 'oom-on-node'],
  },
  '1 in the second in which the node ran out of memory': {
    facts: [exit(1), event('SystemOOM', 'System OOM encountered, victim process: app, pid: 42', NODE)],
    codes: ['crashed'],
  },
  'an end shortly after the last of as many failures, with successes between them': {
    facts: [
      exit(1, 'Error', { lastedMs: 4_000_000 }),
      unhealthy('Liveness', 6_000, { until: at(8_990), count: 3 }),
    ],
    codes: ['crashed'],
    pods: PROBED,
  },
  'an end shortly after failures of which some were in earlier runs': {
    facts: [
      exit(1, 'Error', { lastedMs: 60_000 }),
      unhealthy('Liveness', 8_900, { until: at(8_990), count: 9 }),
    ],
    codes: ['crashed'],
    pods: PROBED,
  },
  'among many events, an end after a failure, sooner than a kill by its probe can be': {
    facts: [
      exit(1, 'Error', { lastedMs: 15_000 }),
      unhealthy('Liveness', 5_000, { until: at(8_990), count: 30 }),
    ],
    codes: ['crashed'],
    pods: PROBED,
  },
  'among many events, an end after a failure, as late as a kill by its probe can be': {
    facts: [
      exit(1, 'Error', { lastedMs: 25_000 }),
      unhealthy('Liveness', 5_000, { until: at(8_990), count: 30 }),
    ],
    codes: ['probe-killed'],
    pods: PROBED,
    doubts: ['kill-without-event'],
  },
  'among many events of a startup probe, a stop as late as its kill is': {
    facts: [
      exit(0, 'Completed', { lastedMs: 79_000 }),
      unhealthy('Startup', 5_000, { until: at(8_000), count: 26 }),
      waiting('CrashLoopBackOff'),
    ],
    codes: ['probe-killed'],
    data: { probe: 'startup' },
    pods: STARTING,
    doubts: ['kill-without-event', 'earlier-ends-unknown'],
  },
  'among many events of a startup probe, a stop later than its kill can be': {
    facts: [
      exit(0, 'Completed', { lastedMs: 400_000 }),
      unhealthy('Startup', 5_000, { until: at(8_000), count: 26 }),
      waiting('CrashLoopBackOff'),
    ],
    codes: ['ended-without-failure'],
    pods: STARTING,
  },
  'an end shortly after as many failures of the liveness probe as a kill needs': {
    facts: [exit(1), unhealthy('Liveness', 8_970, { until: at(8_990), count: 3 })],
    codes: ['probe-killed'],
    pods: PROBED,
    doubts: ['kill-without-event'],
  },
  'an end shortly after fewer failures of the liveness probe': {
    facts: [exit(1), unhealthy('Liveness', 8_980, { until: at(8_990), count: 2 })],
    codes: ['crashed'],
    pods: PROBED,
  },
  'an end long after the liveness probe failed': {
    facts: [exit(137), unhealthy('Liveness', 8_600, { until: at(8_800), count: 9 })],
    codes: ['stopped-by-signal'],
    pods: PROBED,
  },
  'an invalid access of memory after the liveness probe failed': {
    facts: [exit(139), unhealthy('Liveness', 8_970, { until: at(8_990), count: 3 })],
    codes: ['crashed-by-signal'],
    pods: PROBED,
  },
  '255 with a boot of another node': {
    facts: [
      exit(255, 'Unknown'),
      event('Rebooted', 'Node node-2 has been rebooted', { ...NODE, name: 'node-2' }),
    ],
    codes: ['crashed'],
  },
  'an image without the tag': {
    facts: [waiting('ImagePullBackOff', 'Back-off pulling image "a:b": ErrImagePull: a:b: not found')],
    codes: ['image-tag-missing'],
  },
  'an image of an older cluster, whose event says why': {
    facts: [
      waiting('ImagePullBackOff', 'Back-off pulling image "a:b"'),
      event('Failed', 'Failed to pull image "a:b": 429 Too Many Requests - toomanyrequests'),
    ],
    codes: ['image-rate-limited'],
  },
  'an image whose event answers about an earlier one': {
    facts: [
      waiting('ImagePullBackOff', 'Back-off pulling image "a:b"'),
      event('Failed', 'Failed to pull image "a:a": 429 Too Many Requests - toomanyrequests'),
    ],
    codes: ['image-not-pulled'],
  },
  'an image without an answer': {
    facts: [waiting('ImagePullBackOff', 'Back-off pulling image "a:b"')],
    codes: ['image-not-pulled'],
  },
  'a name of an image that is none': {
    facts: [waiting('InvalidImageName', 'Failed to apply default image tag "A B"')],
    codes: ['image-name-invalid'],
  },
  'an image whose signature the node refuses': {
    facts: [waiting('SignatureValidationFailed', 'SignatureValidationFailed: image signed by nobody')],
    codes: ['image-not-pulled'],
  },
  'what a CSI driver calls a secret': {
    facts: [
      waiting('ContainerCreating'),
      event(
        'FailedMount',
        'MountVolume.SetUp failed for volume "s" : rpc error: code = Unknown desc = secret "prod/db" not found in vault',
        POD,
      ),
    ],
    codes: ['volume-not-mounted'],
  },
  'a key that a Secret lacks': {
    facts: [waiting('CreateContainerConfigError', "couldn't find key password in Secret shop/login")],
    codes: ['key-missing'],
    data: { kind: 'Secret', name: 'login', key: 'password' },
  },
  'a key that a volume lacks': {
    facts: [
      waiting('ContainerCreating'),
      event(
        'FailedMount',
        'MountVolume.SetUp failed for volume "cfg" : references non-existent config key: a.yaml',
        POD,
      ),
    ],
    codes: ['key-missing'],
    data: { kind: 'ConfigMap', key: 'a.yaml', volume: 'cfg' },
  },
  'a mount that failed for a time': {
    facts: [
      event('FailedMount', 'MountVolume.SetUp failed for volume "cfg" : configmap "cfg" not found', POD),
    ],
    codes: [],
    pods: READY,
  },
  'a mount that fails for a reason of its own': {
    facts: [
      waiting('ContainerCreating'),
      event('FailedMount', 'MountVolume.MountDevice failed: no such device', POD),
    ],
    codes: ['volume-not-mounted'],
  },
  'a container that cannot be created for another reason': {
    facts: [waiting('CreateContainerError', 'context deadline exceeded')],
    codes: ['container-not-created'],
  },
  'pods that the API server refuses': {
    facts: [
      event(
        'FailedCreate',
        'Error creating: pods "web-a" is forbidden: violates PodSecurity "restricted:latest"',
        SET,
      ),
      event(
        'FailedCreate',
        'Error creating: pods "web-b" is forbidden: violates PodSecurity "restricted:latest"',
        SET,
      ),
    ],
    codes: ['pods-refused'],
    data: { message: 'violates PodSecurity "restricted:latest"' },
    pods: READY,
  },
  'refusals by one quota are one verdict, with the newest numbers': {
    facts: [
      event('FailedCreate', quotaText('web-a', 3), SET, 8_000),
      event('FailedCreate', quotaText('web-b', 4), SET, 8_500),
    ],
    codes: ['quota-exceeded'],
    data: { quota: 'compute', message: 'requested: pods=1, used: pods=4, limited: pods=4' },
    pods: READY,
  },
  'a StatefulSet that the API server refuses': {
    facts: [
      event(
        'FailedCreate',
        'create Pod db-0 in StatefulSet db failed error: pods "db-0" is forbidden: image must be signed',
        { ...SET, kind: 'StatefulSet' },
      ),
    ],
    codes: ['pods-refused'],
    data: { message: 'image must be signed' },
    pods: READY,
  },
  'a readiness probe of a pod that is ready': {
    facts: [event('Unhealthy', 'Readiness probe failed: HTTP probe failed with statuscode: 503')],
    codes: [],
    pods: READY,
  },
  'a readiness probe of a container that is not ready': {
    facts: [unhealthy('Readiness', 9_950)],
    codes: ['probe-failing'],
    data: { container: 'app', probe: 'readiness', answer: 'HTTP probe failed with statuscode: 503' },
    doubts: [],
  },
  'a readiness probe of a container that is ready in a pod that is not': {
    facts: [unhealthy('Readiness', 9_950)],
    codes: [],
    pods: [podNow({ containers: [containerNow({ isReady: true }), containerNow({ name: 'other' })] })],
  },
  'a readiness probe of a container that does not run': {
    facts: [unhealthy('Readiness', 9_950)],
    codes: [],
    pods: [podNow({ containers: [containerNow({ isRunning: false, runsSince: undefined })] })],
  },
  'a readiness probe that failed in an earlier run': {
    facts: [unhealthy('Readiness', 9_000)],
    codes: [],
    pods: [podNow({ containers: [containerNow({ runsSince: at(9_500) })] })],
  },
  'a readiness probe of a container whose startup probe has not succeeded': {
    facts: [unhealthy('Readiness', 9_950), unhealthy('Startup', 9_960)],
    codes: ['probe-failing'],
    data: { probe: 'startup' },
    pods: [podNow({ containers: [containerNow({ isStarted: false })] })],
  },
  'a startup probe of a container that has started': {
    facts: [unhealthy('Startup', 9_950)],
    codes: [],
  },
  'a readiness probe whose last event is old': {
    facts: [unhealthy('Readiness', 8_800)],
    codes: ['probe-failing'],
    doubts: ['probe-answer-old'],
  },
  'a process that the kernel killed on the node, and no line that names it': {
    facts: [event('OOMKilling', 'Memory cgroup out of memory: Killed process 7 (convert)', NODE)],
    codes: [],
    pods: READY,
  },
  'pods that their controller deleted': {
    facts: [
      event('SuccessfulCreate', 'Created pod: web-0', SET, 8_000),
      event('Killing', 'Stopping container app', { ...APP, name: 'web-0', uid: 'web-0' }),
      event('SuccessfulDelete', 'Deleted pod: web-0', SET),
    ],
    codes: [],
    pods: READY,
  },
  'pods of whose deletion the controller wrote no event, and that it did not replace': {
    facts: [
      event('SuccessfulCreate', 'Created pod: web-0', SET, 8_000),
      event('Killing', 'Stopping container app', { ...APP, name: 'web-0', uid: 'web-0' }),
      event('SuccessfulCreate', 'Created pod: web-1', SET, 9_300),
    ],
    codes: [],
    pods: READY,
  },
  'pods that left while their Deployment scaled them down': {
    facts: [
      event('SuccessfulCreate', 'Created pod: web-0', SET, 8_000),
      event('ScalingReplicaSet', 'Scaled down replica set web from 34 to 2', DEPLOYMENT, 8_999),
      event('Killing', 'Stopping container app', { ...APP, name: 'web-0', uid: 'web-0' }),
      event('SuccessfulCreate', 'Created pod: web-1', SET, 9_005),
    ],
    codes: [],
    pods: READY,
  },
  'a pod of a DaemonSet, which deletes pods to create them again': {
    facts: [
      event('SuccessfulCreate', 'Created pod: web-0', { ...SET, kind: 'DaemonSet' }, 8_000),
      event('Killing', 'Stopping container app', { ...APP, name: 'web-0', uid: 'web-0' }),
      event('SuccessfulCreate', 'Created pod: web-1', { ...SET, kind: 'DaemonSet' }, 9_001),
    ],
    codes: [],
    pods: READY,
  },
  'pods that somebody else deleted, and their controller replaced': {
    facts: [
      event('SuccessfulCreate', 'Created pod: web-0', SET, 8_000),
      event('Killing', 'Stopping container app', { ...APP, name: 'web-0', uid: 'web-0' }),
      event('SuccessfulCreate', 'Created pod: web-1', SET, 9_001),
    ],
    codes: ['pods-deleted'],
    doubts: ['deleter-unknown'],
    pods: READY,
  },
};

const judged = (facts: readonly Fact[], values: Partial<Evidence> = {}) =>
  judge(evidenceOf(facts, values), at(1_000));

test.each(Object.entries(CASES))('%s', (_, { facts, codes, pods, data, doubts }) => {
  const { verdicts } = judged(facts, pods === undefined ? {} : { pods });
  expect(verdicts.map(({ code }) => code)).toEqual(codes);
  if (data !== undefined) expect(verdicts[0]?.data).toMatchObject(data);
  if (doubts !== undefined) expect(verdicts[0]?.doubts.map(({ code }) => code)).toEqual(doubts);
  for (const { proof } of verdicts) expect(proof.length).toBeGreaterThan(0);
});

test('what holds stands before what is over', () => {
  const other = { ...POD, name: 'web-2', uid: 'web-2', container: 'app' };
  const facts = [
    exit(1),
    exitFact({
      id: 'other',
      at: at(9_000),
      subject: other,
      data: { exitCode: 2, restarts: 1, isInit: false, wasDeleted: false },
    }),
  ];
  const pods = [podNow({ isReady: true }), podNow({ subject: { ...other, container: undefined } })];
  const { verdicts } = judged(facts, { pods });
  expect(
    verdicts.map(({ data, isOver }) => ['exitCode' in data && data.exitCode, isOver ? RECOVERED : 'open']),
  ).toEqual([
    [2, 'open'],
    [1, RECOVERED],
  ]);
});

test('a refusal is over once its controller creates a pod, or no more are wanted', () => {
  const subject = { ...POD, kind: 'Deployment', name: 'web', uid: 'd' };
  const refused = event('FailedCreate', quotaText('web-b', 4), SET, 8_000, { until: at(8_600), count: 9 });
  const condition = fact('workload-condition', { type: 'ReplicaFailure', status: 'True' }, { subject });
  const made = (seconds: number, by = SET) => event('SuccessfulCreate', 'Created pod: web-c', by, seconds);
  const isOver = (facts: readonly Fact[], wanted: number, values: Partial<Evidence> = {}) =>
    judged(facts, { pods: READY, subject, wanted: new Map([['d', wanted]]), ...values }).verdicts.map(
      (verdict) => verdict.isOver,
    );
  expect(isOver([refused], 2)).toEqual([false]);
  expect(isOver([refused], 1)).toEqual([true]);
  expect(isOver([refused, condition], 1)).toEqual([false, false]);
  expect(isOver([refused], 1, { unread: new Set(['workloads']) })).toEqual([false]);
  expect(isOver([refused, made(8_700)], 2)).toEqual([true]);
  expect(isOver([refused, made(8_300)], 2)).toEqual([false]);
  expect(isOver([refused, made(8_700, { ...SET, uid: 'another' })], 2)).toEqual([false]);
});

test('a CronJob that cannot create Jobs is not over because it wants no pods', () => {
  const subject: FactSubject = { ...SET, kind: 'CronJob', name: 'nightly', uid: 'cron' };
  const message = 'Error creating job: jobs.batch "nightly-29345678" is forbidden: no';
  const refused = event('FailedCreate', message, subject, 8_000, { until: at(9_990), count: 240 });
  const isOver = (...facts: readonly Fact[]) =>
    judged(facts, { pods: [], subject, wanted: new Map([['cron', 0]]) }).verdicts.map((verdict) => [
      verdict.code,
      verdict.data,
      verdict.isOver,
    ]);
  const data = { message: 'no', of: 'Job' };
  expect(isOver(refused)).toEqual([['pods-refused', data, false]]);
  const made = event('SuccessfulCreate', 'Created job nightly-29345679', subject, 9_995);
  expect(isOver(refused, made)).toEqual([['pods-refused', data, true]]);
});

test('a failed pod is over once its own Job has completed', () => {
  const job = (name: string) => ({ ...POD, kind: 'Job', name, uid: name });
  const complete = (name: string, type = 'Complete') =>
    fact('workload-condition', { type, status: 'True' }, { subject: job(name), severity: 'normal' });
  const pods = [podNow({ phase: 'Failed', isOver: true, owner: { kind: 'Job', name: 'import' } })];
  const isOver = (facts: readonly Fact[]) =>
    judged([exit(1), ...facts], { pods }).verdicts.map((verdict) => verdict.isOver);
  expect(isOver([complete('import')])).toEqual([true]);
  expect(isOver([])).toEqual([false]);
  expect(isOver([complete('import', 'Failed')])).toEqual([false]);
  expect(isOver([complete('import-2')])).toEqual([false]);
});

test('a probe that failed for a time earlier does not move the first sign', () => {
  const lost = fact('not-ready', {}, { reason: 'ContainersNotReady', at: at(9_900) });
  const since = (begun: number) =>
    judged([unhealthy('Readiness', begun, { until: at(9_950), count: 20 }), lost]).since?.seconds;
  expect([since(5_000), since(9_870)]).toEqual([9_900, 9_870]);
});

test('a pod that is not ready for no reported reason is unexplained', () => {
  const { outcome, unexplained } = judged([]);
  expect({ outcome, pods: unexplained.map(({ pod }) => pod.name) }).toEqual({
    outcome: 'unexplained',
    pods: ['web-1'],
  });
});

test('a rollout that stands still is no reason for its pods not to be ready', () => {
  const deployment = { ...POD, kind: 'Deployment', name: 'web', uid: 'd' };
  const stuck = fact(
    'workload-condition',
    { type: 'Progressing', status: 'False' },
    { reason: 'ProgressDeadlineExceeded', subject: deployment },
  );
  const { outcome, verdicts } = judged([stuck]);
  expect({ outcome, codes: verdicts.map(({ code }) => code) }).toEqual({
    outcome: 'unexplained',
    codes: ['rollout-stuck'],
  });
});

test('a rollout whose ReplicaSet is refused has a reason', () => {
  const subject: FactSubject = { ...POD, kind: 'Deployment', name: 'web' };
  const message = 'Failed to create new replica set "web-66f": admission webhook denied the request';
  const refused = fact(
    'workload-condition',
    { type: 'Progressing', status: 'False' },
    { reason: 'ReplicaSetCreateError', message, subject },
  );
  const earlier = fact(
    'rollout',
    { revision: 1, images: [] },
    { subject, severity: 'normal', at: at(2_000) },
  );
  const { outcome, verdicts } = judged([earlier, refused], { pods: READY });
  expect(outcome).toBe('explained');
  expect(verdicts).toMatchObject([{ code: 'rollout-stuck', data: { refusal: message }, since: at(9_000) }]);
});

const LOST = { reason: 'Evicted', subject: { ...POD, name: 'web-0', uid: 'web-0' }, at: at(5_000) };
const replacement = (values: Partial<PodNow>) => podNow({ createdAt: at(5_010), ...values });

test.each([
  ['by a pod that crashes now', [replacement({})], true],
  ['by none', [podNow()], false],
  [
    'by a pod that has not started',
    [replacement({ containers: [containerNow({ isRunning: false })] })],
    false,
  ],
])('a pod that was evicted, replaced %s: whether that is over', (_, pods, isOver) => {
  const { verdicts } = judged([fact('evicted', { node: 'node-1' }, LOST)], { pods });
  expect(verdicts.map(({ code, isOver: isPast }) => [code, isPast])).toEqual([['evicted', isOver]]);
});

test('two pods that were evicted need two others', () => {
  const lost = ['web-8', 'web-9'].map((name) =>
    fact('evicted', { node: 'node-1' }, { ...LOST, subject: { ...POD, name, uid: name } }),
  );
  const pods = ['web-1', 'web-2'].map((name) => replacement({ subject: { ...POD, name, uid: name } }));
  expect(judged(lost, { pods: pods.slice(1) }).verdicts.map(({ isOver }) => isOver)).toEqual([false]);
  expect(judged(lost, { pods }).verdicts.map(({ isOver }) => isOver)).toEqual([true]);
});

test('a workload with fewer pods than it wants is not healthy', () => {
  const subject = { ...POD, kind: 'Deployment', name: 'web', uid: 'd' };
  const rollout = fact('rollout', { revision: 1, images: [], replicas: 2 }, { subject, severity: 'normal' });
  expect(judged([rollout], { pods: READY, subject }).outcome).toBe('unexplained');
  expect(judged([rollout], { pods: READY }).outcome).toBe('healthy');
});

test('a pod that leaves counts neither as ready nor as one that is wanted', () => {
  const subject = { ...POD, kind: 'DaemonSet', name: 'web', uid: 'd' };
  const staying = podNow({ isReady: true });
  const leaving = podNow({
    subject: { ...POD, name: 'web-2', uid: 'web-2' },
    isReady: true,
    isDeleting: true,
  });
  const counted = (replicas: number) => {
    const { outcome, pods } = judged([fact('deleted', { graceSeconds: 600 }, { subject: leaving.subject })], {
      pods: [staying, leaving],
      subject,
      wanted: new Map([['d', replicas]]),
    });
    return { outcome, pods };
  };
  const pods = { total: 1, ready: 1, ended: 0, deleting: 1 };
  expect(counted(2)).toEqual({ outcome: 'unexplained', pods: { ...pods, wanted: 2 } });
  expect(counted(1)).toEqual({ outcome: 'healthy', pods: { ...pods, wanted: 1 } });
});

test('a pod that still exists after its grace period is a problem, even if it is ready', () => {
  const hanging = podNow({
    subject: { ...POD, name: 'web-2', uid: 'web-2' },
    isReady: true,
    isDeleting: true,
    isOverdue: true,
    finalizers: ['example.com/backup'],
  });
  const deleted = fact('deleted', { graceSeconds: 30 }, { subject: hanging.subject, severity: 'normal' });
  const { outcome, verdicts } = judged([deleted], { pods: [podNow({ isReady: true }), hanging] });
  expect({ outcome, verdicts: verdicts.map(({ code, data, isOver }) => ({ code, data, isOver })) }).toEqual({
    outcome: 'explained',
    verdicts: [
      {
        code: 'pods-terminating',
        data: { isOverdue: true, graceSeconds: 30, finalizers: ['example.com/backup'], waits: undefined },
        isOver: false,
      },
    ],
  });
});

test('failed Jobs of a CronJob are one trouble, which is over once a later one completes', () => {
  const cronJob = { ...POD, kind: 'CronJob', name: 'nightly', uid: 'nightly' };
  const job = (number: number) => ({ ...POD, kind: 'Job', name: `nightly-${number}`, uid: `job-${number}` });
  const exceeded = [1, 2].map((number) =>
    event('DeadlineExceeded', 'Job was active longer than specified deadline', job(number), 9_000 + number),
  );
  const complete = (seconds: number) =>
    fact(
      'workload-condition',
      { type: 'Complete', status: 'True' },
      { subject: job(3), severity: 'normal', at: at(seconds) },
    );
  const verdictsOf = (facts: readonly Fact[], subject: FactSubject) =>
    judged(facts, { subject, pods: [] }).verdicts.map(({ data, isOver }) => ({ data, isOver }));
  const data = { kind: 'Job', name: 'nightly-2', count: 2 };
  expect(verdictsOf([complete(8_000), ...exceeded], cronJob)).toEqual([{ data, isOver: false }]);
  expect(verdictsOf([...exceeded, complete(9_500)], cronJob)).toEqual([{ data, isOver: true }]);
  expect(verdictsOf(exceeded.slice(0, 1), job(1))).toEqual([
    { data: { kind: 'Job', name: 'nightly-1', count: undefined }, isOver: false },
  ]);
});

test('nothing at all is unread, not healthy', () => {
  expect(judged([], { pods: [] }).outcome).toBe('unread');
});

test('a rollout is named only if it is shortly before, and not the first', () => {
  const subject = { ...POD, kind: 'Deployment', name: 'web', uid: 'd' };
  const rollout = (revision: number, seconds: number) =>
    fact('rollout', { revision, images: [] }, { subject, severity: 'normal', at: at(seconds) });
  expect(judged([rollout(2, 8_900), exit(1)]).rollout?.secondsBefore).toBe(100);
  expect(judged([rollout(1, 8_900), exit(1)]).rollout).toBeUndefined();
  expect(judged([rollout(2, 5_000), exit(1)]).rollout).toBeUndefined();
  expect(judged([exit(1), rollout(2, 9_500)]).rollout).toBeUndefined();
});

test('a rollout after an end of the same cause is not named, whatever the exit code', () => {
  const subject = { ...POD, kind: 'Deployment', name: 'web', uid: 'd' };
  const old: FactSubject = { ...POD, name: 'web-0', uid: 'web-0' };
  const facts = [
    { ...exit(137, 'OOMKilled'), at: at(8_000), subject: { ...old, container: 'app' } } as Fact,
    fact('rollout', { revision: 2, images: [] }, { subject, severity: 'normal', at: at(8_900) }),
    exit(1, 'OOMKilled'),
  ];
  const pods = [podNow(), podNow({ subject: old, isReady: true })];
  expect(judged(facts, { pods }).since).toEqual(at(9_000));
  expect(judged(facts, { pods }).rollout).toBeUndefined();
  expect(judged(facts.slice(1), { pods }).rollout?.secondsBefore).toBe(100);
});

test('unread sources weigh on every verdict', () => {
  const { doubts } = judged([exit(1)], {
    unread: new Set(['nodes', 'workloads']),
    missingEvents: [{ why: 'unread', namespace: undefined }],
  });
  expect(doubts.map(({ code }) => code)).toEqual([
    'events-unreadable',
    'nodes-unreadable',
    'workloads-unreadable',
  ]);
});

test('reports that events have expired', () => {
  expect(judged([exit(1)]).doubts.map(({ code }) => code)).toEqual(['events-expired']);
});

test('the next try is the last end and the back-off', () => {
  const wait = waiting('CrashLoopBackOff', 'back-off 5m0s restarting failed container=app pod=web-1');
  const values = { now: at(9_100) };
  expect(judged([exit(1), wait], values).verdicts[0]?.nextTry).toEqual(at(9_300));
  expect(judged([exit(1), wait]).verdicts[0]?.nextTry).toBeUndefined();
});

test('restarts and back-offs of an earlier cause are not those of the last end', () => {
  const crash = exit(1, 'Error', { lastedMs: 2_000_000 });
  const facts = [
    killing('failed liveness probe', 6_000),
    event('BackOff', 'Back-off restarting failed container app in pod web-1', APP, 5_900, {
      until: at(6_900),
    }),
    crash,
  ];
  const pods = [podNow({ isReady: true, containers: [containerNow({ isReady: true, restarts: 5 })] })];
  const [verdict] = judged(facts, { pods }).verdicts;
  expect([verdict?.code, verdict?.since, verdict?.restarts]).toEqual(['crashed', at(9_000), 1]);
});

const AGAIN = { isReady: true, restarts: 4, runsSince: at(9_010) };

test.each([
  ['a run as short as those that ended', 180_000, { ...AGAIN }, 9_180, false],
  ['a run that lasts longer than those that ended', 180_000, { ...AGAIN }, 9_400, true],
  ['a run after a single end', 180_000, { ...AGAIN, restarts: 1 }, 9_180, true],
  ['a run of seconds after a single end', 20_000, { ...AGAIN, restarts: 1 }, 9_024, false],
  ['a run of a minute after a single end', 20_000, { ...AGAIN, restarts: 1 }, 9_071, true],
  ['a run as short as the two that ended', 240_000, { ...AGAIN, restarts: 2 }, 9_087, false],
  ['a run that lasts longer than the two that ended', 240_000, { ...AGAIN, restarts: 2 }, 9_251, true],
  ['a run that follows some of many minutes', 2_460_000, { ...AGAIN }, 9_070, false],
  ['a run that lasts longer than some of many minutes', 2_000_000, { ...AGAIN }, 12_100, true],
  ['a run after two of many minutes', 360_000, { ...AGAIN, restarts: 2 }, 9_045, false],
  ['a run after a single one of many minutes', 360_000, { ...AGAIN, restarts: 1 }, 9_045, true],
  ['a run after days without an end', 90_000_000, { ...AGAIN }, 9_180, true],
])('%s: whether the loop is over', (_, lastedMs, values, now, isOver) => {
  const pods = [podNow({ isReady: true, containers: [containerNow(values)] })];
  const [verdict] = judged([exit(137, 'OOMKilled', { lastedMs })], { pods, now: at(now) }).verdicts;
  const doubts = verdict?.doubts.map(({ code }) => code) ?? [];
  expect([verdict?.isOver, doubts.includes('may-end-again')]).toEqual([isOver, !isOver]);
});

test.each([
  ['after runs as long as its own', [240_000, 243_000, 241_000], false],
  ['after runs of other lengths', [240_000, 100_000, 5_000_000], true],
  ['late after its start', [1_620_000, 1_619_000, 1_620_000], true],
])('the end of one of several pods %s: whether it is over', (_, lasted, isOver) => {
  const names = lasted.map((_length, index) => `web-${index}`);
  const subjects = names.map((name): FactSubject => ({ ...APP, name, uid: name }));
  const container = containerNow({ ...AGAIN, restarts: 1 });
  const pods = subjects.map((subject) => podNow({ subject, isReady: true, containers: [container] }));
  const facts = subjects.map((subject, index): Fact => {
    const end = exit(137, 'OOMKilled', { lastedMs: lasted[index] });
    return { ...end, subject };
  });
  const [verdict] = judged(facts, { pods, now: at(9_097) }).verdicts;
  expect(verdict?.isOver).toBe(isOver);
});

test('never names a rollout after which another one of unknown time may have come', () => {
  const subject = { kind: 'StatefulSet', namespace: 'shop', name: 'db', uid: 'set' };
  const rollout = (revision: number, more: object = {}) =>
    fact('rollout', { revision, images: [] }, { subject, severity: 'normal', at: at(8_900), ...more });
  const rollback = rollout(3, { bound: 'not-before' });
  expect(judged([rollout(2), exit(1)]).rollout?.secondsBefore).toBe(100);
  expect(judged([rollout(2), rollback, exit(1)]).rollout).toBeUndefined();
  const ofOther = { ...rollback, subject: { ...subject, uid: 'other' } };
  expect(judged([rollout(2), ofOther, exit(1)]).rollout?.secondsBefore).toBe(100);
});

test('never names a rollout of unknown time as the one before', () => {
  const subject: FactSubject = { ...POD, kind: 'Deployment', name: 'web' };
  const rollback = {
    ...fact('rollout', { revision: 3, images: [] }, { subject, severity: 'normal', at: at(8_900) }),
    bound: 'not-before',
  } as Fact;
  expect(judged([rollback, exit(1)]).rollout).toBeUndefined();
});

test('two rollouts are never one that happened two times', () => {
  const subject: FactSubject = { ...POD, kind: 'Deployment', name: 'web' };
  const rollout = (revision: number, seconds: number) =>
    fact('rollout', { revision, images: [] }, { subject, severity: 'normal', at: at(seconds) });
  const { also } = judged([rollout(2, 8_000), rollout(3, 8_500)], { pods: READY });
  expect(also.map(({ count, since }) => [count, since.seconds])).toEqual([
    [1, 8_500],
    [1, 8_000],
  ]);
});

test('events that their component combined are the same trouble as those before, and the proof as reported', () => {
  const combined = `(combined from similar events): ${NO_NETWORK.replace('2f3c', '77ab')}`;
  const { verdicts } = judged([
    waiting('ContainerCreating'),
    event('FailedCreatePodSandBox', NO_NETWORK, POD, 8_600),
    event('FailedCreatePodSandBox', combined, POD, 8_700, { until: at(9_900), count: 88 }),
  ]);
  expect(verdicts.map(({ code, data, doubts }) => ({ code, data, doubts }))).toEqual([
    { code: 'sandbox-not-created', data: { message: NO_NETWORK.replace('2f3c', '77ab') }, doubts: [] },
  ]);
  expect(verdicts[0]?.proof.map(({ message }) => message)).toContain(combined);
});

test.each([
  ['was just created', 9_995, 0],
  ['has existed for a while', 9_900, 1],
])('beside a verdict, a pod that %s is unexplained accordingly', (_, seconds, count) => {
  const next = podNow({
    subject: { ...POD, name: 'web-2', uid: 'web-2' },
    phase: 'Pending',
    createdAt: at(seconds),
    containers: [],
  });
  expect(judged([exit(1)], { pods: [podNow(), next] }).unexplained).toHaveLength(count);
  expect(judged([], { pods: [next] }).outcome).toBe('unexplained');
});
