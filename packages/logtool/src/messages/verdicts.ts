import type { Doubt, NodeRefusal, Verdict, VerdictCode, VerdictOf } from '../domain/verdicts/verdict.ts';
import { imageText, lengthText } from './facts.ts';
import { andText, countText } from './lists.ts';
import { knownText, unknownCodeText } from './unknown-code.ts';

/** The text of each verdict, as one sentence without a full stop. */
type VerdictTexts = { readonly [C in VerdictCode]: (verdict: VerdictOf<C>) => string };

const TEXTS: VerdictTexts = {
  'oom-container': ({ data }) =>
    `OOMKilled: the kernel killed ${data.exitCode === 137 ? '' : 'a process of '}container ${data.container} for memory${data.memoryLimit === undefined ? '' : `, limit ${data.memoryLimit}`}${data.exitCode === 137 ? '' : `; the container itself exited ${data.exitCode}`}${lasted(data)}`,
  'oom-node': ({ data }) =>
    `container ${data.container} exited ${data.exitCode} in the same second that node ${data.node} ran out of memory and the kernel killed ${data.process === undefined ? 'a process' : `process ${data.process}`}${lasted(data)}`,
  'oom-child': ({ data }) =>
    `the kernel killed process ${data.process} in container ${data.container} for memory; the container kept running`,
  evicted: ({ data }) => `evicted${fromNode(data.node)}${because(data.message)}`,
  'evicted-by-request': ({ data }) =>
    `evicted${fromNode(data.node)} through the eviction API, as a drain does${because(data.message)}`,
  preempted: ({ data }) => `preempted: pods of higher priority took its place${because(data.message)}`,
  'node-lost': ({ data: { node, isBack, message, isUnread } }) => {
    if (isUnread === true)
      return `node ${node} was reported not ready, and its pods were not ready from then on`;
    if (isBack) return `node ${node} and its pods were not ready for a time`;
    return message === undefined
      ? `node ${node} no longer reports its status, and its pods are lost`
      : `node ${node} reports that it is not ready, and its pods are not ready either${because(message)}`;
  },
  'node-rebooted': ({ data }) => `node ${data.node} rebooted: its containers ended and started again`,
  'pods-deleted': ({ pods, podCount = pods.length, data }) =>
    `something other than ${podCount === 1 ? 'its' : 'their'} controller deleted ${countText(podCount, 'pod', 'pods')}${data.node === undefined ? '' : `, ${podCount === 1 ? '' : 'all '}from node ${data.node}`}: for example a node drain or a person`,
  'pods-terminating': ({ pods, podCount = pods.length, data }) =>
    `${countText(podCount, 'pod is', 'pods are')} terminating${graceText(data)}${waitText(data)}`,
  'probe-killed': ({ data, doubts }) =>
    `the kubelet ${isUnreported(doubts) ? 'most likely ' : ''}killed container ${data.container} because its ${data.probe} probe failed${because(data.answer ?? '')}${codeText(data.exitCode)}`,
  'killed-by-kubelet': ({ data }) =>
    `the kubelet stopped container ${data.container}${because(data.message)}${codeText(data.exitCode)}`,
  'command-not-started': ({ data }) =>
    `the container runtime cannot start the command of container ${data.container}: ${data.message}`,
  'program-missing': ({ data }) =>
    `container ${data.container} exited ${data.exitCode}, the usual code for a program ${data.exitCode === 127 ? 'or library that is missing' : 'that cannot run'}`,
  'init-failed': ({ data, isOver }) =>
    `init container ${data.container} exited ${data.exitCode}${after(data)}${isOver ? '' : ', so the others cannot start'}`,
  'crashed-by-signal': ({ data }) =>
    `container ${data.container} crashed with signal ${data.signal} (${SIGNALS.get(data.signal) ?? 'unknown'}), exit code ${data.exitCode}${lasted(data)}`,
  // Only the exit code is known: a program can end with it by itself.
  'stopped-by-signal': ({ data, doubts }) =>
    `container ${data.container} exited ${data.exitCode}, as after ${SIGNALS.get(data.signal) ?? `signal ${data.signal}`}: ${senderText(doubts)} may have sent it, or the program ended with this code by itself; its status does not report that it ran out of memory`,
  crashed: ({ data }) => `container ${data.container} ended with exit code ${data.exitCode}${after(data)}`,
  'ended-without-failure': ({ data }) =>
    `container ${data.container} exited with code 0${after(data)}, and its pod starts it again`,
  'image-tag-missing': ({ data }) =>
    `the kubelet cannot pull image ${data.image}: the registry has no such tag or repository (${data.answer})`,
  'image-missing-or-private': ({ data }) =>
    `the kubelet cannot pull image ${data.image}: the repository does not exist or needs credentials; the registry does not say which (${data.answer})`,
  'image-denied': ({ data }) =>
    `the kubelet cannot pull image ${data.image}: the registry denies access; credentials are missing or wrong (${data.answer})`,
  'image-rate-limited': ({ data }) =>
    `the kubelet cannot pull image ${data.image}: the registry limits the rate of pulls (${data.answer})`,
  'image-registry-unreachable': ({ data }) =>
    `the kubelet cannot pull image ${data.image}: it cannot reach the registry (${data.answer})`,
  'image-name-invalid': ({ data }) => `${data.image} is not a valid image name`,
  'image-not-pulled': ({ data }) => `the kubelet cannot pull image ${data.image}${because(data.answer)}`,
  'object-missing': ({ data }) =>
    `${data.kind} ${data.name} does not exist${data.volume === undefined ? '' : `; volume ${data.volume} needs it`}`,
  'key-missing': ({ data }) =>
    `${data.kind} ${data.name ?? `of volume ${data.volume ?? ''}`} has no key ${data.key}`,
  'container-not-created': ({ data }) =>
    `the kubelet cannot create container ${data.container}${because(data.message)}`,
  unschedulable: ({ data }) =>
    `no node fits${data.refusals.length === 0 ? because(data.message) : `: ${andText(data.refusals.map(refusalText))}`}`,
  'volume-in-use': ({ data }) =>
    `another node has volume ${data.volume}, and only one node at a time can have it`,
  'volume-not-attached': ({ data }) => `the cluster cannot attach a volume${because(data.message)}`,
  'volume-not-mounted': ({ data }) => `the kubelet cannot mount a volume${because(data.message)}`,
  'scheduling-gated': ({ data }) => `the pod waits for its scheduling gates${because(data.message)}`,
  'readiness-gated': ({ data }) => `the containers are ready, but the pod is not${because(data.message)}`,
  'init-running': ({ data }) =>
    `init container ${data.container} still runs; the others start only after it has ended`,
  'job-held': ({ data }) =>
    `container ${data.container} ended with exit code 0, but the pod does not end while ${andText(data.running)} ${data.running.length === 1 ? 'runs' : 'run'}`,
  'job-suspended': ({ data: { name, count } }) =>
    count === undefined
      ? `Job ${name} is suspended: it has no pods until it is resumed`
      : `${count} Jobs are suspended, most recently ${name}: they have no pods until they are resumed`,
  'cronjob-suspended': ({ data: { name, active } }) =>
    `CronJob ${name} is suspended: it starts no Jobs until it is resumed${active === 0 ? '' : `; ${countText(active, 'Job that it started still runs', 'Jobs that it started still run')}`}`,
  'rollout-paused': ({ data: { name, updated, replicas } }) =>
    updated === undefined || replicas === undefined || updated >= replicas
      ? `Deployment ${name} is paused: a change of its template reaches no pod until it is resumed`
      : `Deployment ${name} is paused: ${updated} of ${countText(replicas, 'pod has', 'pods have')} its current template, and no other pod gets it until the Deployment is resumed`,
  'sandbox-not-created': ({ data }) =>
    `the kubelet cannot create the sandbox of the pod, with its network${because(data.message)}`,
  'image-pulling': ({ data }) => `the kubelet is pulling image ${data.image} of container ${data.container}`,
  'restarted-again': ({ data }) =>
    `container ${data.container} ended repeatedly, and the kubelet delayed each restart`,
  'quota-exceeded': ({ data, isOver }) =>
    `quota ${data.quota} ${isOver ? 'had' : 'has'} no room for more ${createdText(data)}: ${data.message}`,
  'pods-refused': ({ data, isOver }) =>
    `the API server ${isOver ? 'refused' : 'refuses'} to create ${createdText(data)}${because(data.message)}`,
  'deadline-exceeded': ({ data: { kind, name, count } }) =>
    count === undefined
      ? `${kind} ${name} ran longer than its deadline, and the cluster stopped it`
      : `${count} ${kind}s ran longer than their deadline, and the cluster stopped them, most recently ${name}`,
  'backoff-limit-exceeded': ({ data: { name, count } }) =>
    count === undefined
      ? `Job ${name} failed: no retries left (BackoffLimitExceeded)`
      : `${count} Jobs failed, most recently ${name}: no retries left (BackoffLimitExceeded)`,
  'probe-failing': ({ data, isOver }) =>
    isOver
      ? `container ${data.container} was not ready for a time: its ${data.probe} probe failed${because(data.answer)}`
      : `container ${data.container} runs, but is not ready: its ${data.probe} probe fails${because(data.answer)}`,
  'autoscaler-failing': ({ data }) => `its autoscaler cannot scale it${because(data.message)}`,
  'rollout-stuck': ({ data: { images, refusal } }) => {
    const rollout = `the rollout${images.length === 0 ? '' : ` ${images.map(imageText).join(', ')}`}`;
    return refusal === undefined
      ? `${rollout} made no progress within its deadline`
      : `${rollout} cannot begin: its controller cannot create the ReplicaSet${because(refusal)}`;
  },
  'rollout-waits': ({ pods, podCount = pods.length, data }) => {
    const rollout = `the rollout${data.images.length === 0 ? '' : ` ${data.images.map(imageText).join(', ')}`}`;
    if (data.isOutdated)
      return `${rollout} does not reach ${countText(podCount, 'pod', 'pods')} of an earlier template: ${data.kind} ${data.name} replaces a pod only once it is ready, so one that cannot become ready must be deleted`;
    return `${rollout} waits until ${podCount === 1 ? 'its pod is' : 'its pods are'} ready: ${data.updated} of ${countText(data.total, 'pod has', 'pods have')} its template`;
  },
  'log-errors': ({ data: { container, errors, isNew }, isOver }) => {
    const what = isNew
      ? `errors ${isOver ? 'began' : 'begin'} in the log of container ${container}`
      : `errors in the log of container ${container} ${isOver ? 'became' : 'are'} much more frequent`;
    return `${what}: ${errors.toLocaleString('en')}${isOver ? '' : ' so far'}`;
  },
};

function createdText({ of }: { readonly of?: 'Job' | undefined }): string {
  return of === undefined ? 'pods' : 'Jobs';
}

/** Returns `OOMKilled: the kernel killed container app for memory, limit 256Mi`. */
export function verdictText(verdict: Verdict): string {
  // The table is typed: each code has matching data.
  return Object.hasOwn(TEXTS, verdict.code)
    ? (TEXTS[verdict.code] as (verdict: Verdict) => string)(verdict)
    : unknownCodeText(verdict.code);
}

/** Linux signals. */
const SIGNALS: ReadonlyMap<number, string> = new Map([
  [1, 'SIGHUP'],
  [2, 'SIGINT'],
  [3, 'SIGQUIT'],
  [4, 'SIGILL'],
  [5, 'SIGTRAP'],
  [6, 'SIGABRT'],
  [7, 'SIGBUS'],
  [8, 'SIGFPE'],
  [9, 'SIGKILL'],
  [10, 'SIGUSR1'],
  [11, 'SIGSEGV'],
  [12, 'SIGUSR2'],
  [13, 'SIGPIPE'],
  [14, 'SIGALRM'],
  [15, 'SIGTERM'],
  [16, 'SIGSTKFLT'],
  [24, 'SIGXCPU'],
  [25, 'SIGXFSZ'],
  [26, 'SIGVTALRM'],
  [27, 'SIGPROF'],
  [29, 'SIGIO'],
  [30, 'SIGPWR'],
  [31, 'SIGSYS'],
]);

const REFUSAL_TEXTS: Readonly<Record<NodeRefusal['reason'], string>> = {
  resource: 'not enough resources',
  taint: 'a taint that the pod does not tolerate',
  affinity: "no match for the pod's node selector or affinity",
  'volume-affinity': 'no access to the volume',
  'pod-affinity': 'no match for the affinity between pods',
  'topology-spread': 'no match for the topology spread of pods',
  ports: 'no free port',
  cordoned: 'cordoned',
  volumes: 'cannot serve the volumes',
  other: 'another reason',
};

function refusalText({ nodes, reason, text }: NodeRefusal): string {
  return `${countText(nodes, 'node', 'nodes')}: ${knownText(REFUSAL_TEXTS, reason)} (${text})`;
}

function hasCode(doubts: readonly Doubt[], wanted: Doubt['code']): boolean {
  return doubts.some(({ code }) => code === wanted);
}

/** Whether no event reports that the kubelet ended the container this time. */
function isUnreported(doubts: readonly Doubt[]): boolean {
  return hasCode(doubts, 'kill-without-event') || hasCode(doubts, 'end-without-event');
}

/** Whether the events are missing that would prove that the kubelet ended the container. */
function isUnread(doubts: readonly Doubt[]): boolean {
  return hasCode(doubts, 'kubelet-unread');
}

function senderText(doubts: readonly Doubt[]): string {
  return isUnread(doubts) ? 'the kubelet, somebody or the program itself' : 'somebody or the program itself';
}

function graceText({ isOverdue, graceSeconds, finalizers }: VerdictOf<'pods-terminating'>['data']): string {
  const grace = graceSeconds === undefined ? '' : ` of ${lengthText(graceSeconds * 1_000)}`;
  if (!isOverdue) return `, within the grace period${grace}`;
  const left = finalizers.length === 0 ? '' : `; remaining finalizers: ${finalizers.join(', ')}`;
  return ` for longer than the grace period${grace}${left}`;
}

function waitText({ waits }: VerdictOf<'pods-terminating'>['data']): string {
  return waits === undefined ? '' : `; the ${waits} creates no other pod before they are gone`;
}

function lasted({ lastedMs }: { readonly lastedMs?: number | undefined }): string {
  return lastedMs === undefined ? '' : `; the last run lasted ${lengthText(lastedMs)}`;
}

function after({ lastedMs }: { readonly lastedMs?: number | undefined }): string {
  return lastedMs === undefined ? '' : ` after ${lengthText(lastedMs)}`;
}

function fromNode(node: string | undefined): string {
  return node === undefined ? '' : ` from node ${node}`;
}

function codeText(exitCode: number | undefined): string {
  return exitCode === undefined ? '' : `; it exited ${exitCode}`;
}

function because(message: string): string {
  return message === '' ? '' : `: ${message}`;
}
