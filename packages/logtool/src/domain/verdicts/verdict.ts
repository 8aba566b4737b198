import type { Why } from '@logtool/kube/src/values/problems.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Fact, FactSubject, ImageChange } from '../facts/fact.ts';
import type { GapCause } from '../frame.ts';
import type { LogRecord } from '../record.ts';
import type { LogLack } from './log-lack.ts';
import type { LogProof } from './log-proof.ts';

/** The end of a container. */
interface Ended {
  readonly container: string;
  readonly exitCode: number;
  /** How long its last run lasted. */
  readonly lastedMs?: number | undefined;
}

interface OfContainer {
  readonly container: string;
}

interface OfImage extends OfContainer {
  readonly image: string;
  /** The answer of the registry or the runtime, without the text around it. */
  readonly answer: string;
}

/** Why some nodes do not fit a pod: their number, and the reason. */
export interface NodeRefusal {
  readonly nodes: number;
  readonly reason:
    | 'resource'
    | 'taint'
    | 'affinity'
    | 'volume-affinity'
    | 'pod-affinity'
    | 'topology-spread'
    | 'ports'
    | 'cordoned'
    | 'volumes'
    | 'other';
  /** From the scheduler: `Insufficient cpu`. */
  readonly text: string;
}

export type Probe = 'liveness' | 'readiness' | 'startup';

/** The possible verdicts of `why`, each code with its data. */
export interface VerdictKinds {
  /** The kernel killed the container because of memory. */
  /** The runtime reports OOMKilled also if the kernel killed another process of the container, which then ended itself. */
  readonly 'oom-container': Ended & { readonly memoryLimit?: string | undefined };
  /** The kubelet reports that its node ran out of memory, in the second in which the container was killed. */
  readonly 'oom-node': Ended & { readonly node: string; readonly process?: string | undefined };
  /** The kernel killed a process of the container because of memory; the container survived. */
  readonly 'oom-child': OfContainer & { readonly process: string; readonly node: string };
  readonly evicted: { readonly node?: string | undefined; readonly message: string };
  /** A client used the eviction API, as a drain does. */
  readonly 'evicted-by-request': { readonly node?: string | undefined; readonly message: string };
  readonly preempted: { readonly message: string };
  /** `message`: from its kubelet, if that still reports, and says that the node is not ready. */
  readonly 'node-lost': {
    readonly node: string;
    readonly isBack: boolean;
    readonly message?: string | undefined;
    /** Only events of its pods report it: the node could not be read. */
    readonly isUnread?: boolean | undefined;
  };
  readonly 'node-rebooted': { readonly node: string };
  /** Someone other than their controller deleted pods. `node`: the node that all of them ran on. */
  readonly 'pods-deleted': { readonly node?: string | undefined };
  /** Pods are being deleted, and still exist. */
  readonly 'pods-terminating': {
    /** Longer than their grace period. */
    readonly isOverdue: boolean;
    readonly graceSeconds?: number | undefined;
    /** What must be done elsewhere before the cluster removes them. */
    readonly finalizers: readonly string[];
    /** Kind of the controller that creates no other pod before: `StatefulSet`. */
    readonly waits?: string | undefined;
  };
  /** The kubelet killed the container, because its probe failed. */
  readonly 'probe-killed': {
    readonly container: string;
    readonly probe: Probe;
    readonly answer?: string | undefined;
    readonly exitCode?: number | undefined;
  };
  /** The kubelet stopped the container for another reason; `message` is its own, empty if it gives none. */
  readonly 'killed-by-kubelet': OfContainer & { readonly message: string; readonly exitCode: number };
  readonly 'command-not-started': Ended & { readonly message: string };
  readonly 'program-missing': Ended;
  readonly 'init-failed': Ended;
  /** A signal for an error in the program ended it: 11 is an invalid memory access. */
  readonly 'crashed-by-signal': Ended & { readonly signal: number };
  /** Its exit code is that after a signal, such as SIGKILL or SIGTERM; a sender is not recorded. */
  readonly 'stopped-by-signal': Ended & { readonly signal: number };
  readonly crashed: Ended;
  /** The program ends by itself without a failure, and its pod restarts it again and again. */
  readonly 'ended-without-failure': Ended;
  /** The registry has no such tag; some answer the same if they have no such repository. */
  readonly 'image-tag-missing': OfImage;
  /** The registry does not reveal which of the two. */
  readonly 'image-missing-or-private': OfImage;
  readonly 'image-denied': OfImage;
  readonly 'image-rate-limited': OfImage;
  readonly 'image-registry-unreachable': OfImage;
  readonly 'image-name-invalid': OfImage;
  readonly 'image-not-pulled': OfImage;
  readonly 'object-missing': {
    readonly kind: 'ConfigMap' | 'Secret';
    readonly name: string;
    readonly volume?: string | undefined;
  };
  readonly 'key-missing': {
    readonly kind: 'ConfigMap' | 'Secret';
    readonly name?: string | undefined;
    readonly key: string;
    readonly volume?: string | undefined;
  };
  readonly 'container-not-created': OfContainer & { readonly message: string };
  readonly unschedulable: {
    readonly nodes?: number | undefined;
    readonly refusals: readonly NodeRefusal[];
    readonly message: string;
  };
  readonly 'volume-in-use': { readonly volume: string };
  readonly 'volume-not-attached': { readonly message: string };
  readonly 'volume-not-mounted': { readonly message: string };
  readonly 'scheduling-gated': { readonly message: string };
  /** The containers are ready, and another condition of the pod is not. */
  readonly 'readiness-gated': { readonly message: string };
  /** The init container runs; the others start after it. */
  readonly 'init-running': OfContainer;
  /** The container of a Job's pod has ended; `running`: the others, which keep the pod from ending. */
  readonly 'job-held': OfContainer & { readonly running: readonly string[] };
  /** `count`: as of `deadline-exceeded`. */
  readonly 'job-suspended': { readonly name: string; readonly count?: number | undefined };
  /** `active`: the Jobs that it started before, and that still run. */
  readonly 'cronjob-suspended': { readonly name: string; readonly active: number };
  /** Somebody paused the Deployment. `updated`, `replicas`: as of the fact `paused`. */
  readonly 'rollout-paused': {
    readonly name: string;
    readonly updated?: number | undefined;
    readonly replicas?: number | undefined;
  };
  /** The runtime or the network could not create the pod's sandbox. */
  readonly 'sandbox-not-created': { readonly message: string };
  /** The kubelet pulls the image and has not reported an end of it. */
  readonly 'image-pulling': { readonly container: string; readonly image: string };
  /** Containers of pods that are gone, or whose ends are unknown, ended again and again. */
  readonly 'restarted-again': OfContainer;
  /** `of`: what its controller could not create; absent: pods. */
  readonly 'quota-exceeded': {
    readonly quota: string;
    readonly message: string;
    readonly of?: 'Job' | undefined;
  };
  readonly 'pods-refused': { readonly message: string; readonly of?: 'Job' | undefined };
  /** `count`: if several Jobs of a CronJob did; `name` is then the last of them. */
  readonly 'deadline-exceeded': {
    readonly kind: string;
    readonly name: string;
    readonly count?: number | undefined;
  };
  /** `count`: as above. */
  readonly 'backoff-limit-exceeded': { readonly name: string; readonly count?: number | undefined };
  /** The pod is not ready, because its probe fails. */
  readonly 'probe-failing': OfContainer & { readonly probe: Probe; readonly answer: string };
  /** The autoscaler of the workload cannot scale it; `message`: from its condition. */
  readonly 'autoscaler-failing': { readonly message: string };
  /** `refusal`: why its controller cannot create the ReplicaSet; undefined: no progress within the deadline. */
  readonly 'rollout-stuck': {
    readonly name: string;
    readonly images: readonly ImageChange[];
    readonly refusal?: string | undefined;
  };
  /**
   * The rollout of a StatefulSet or DaemonSet waits for pods that are not ready: those of its template, or, of a
   * StatefulSet, some of an earlier one, which it replaces only once they are ready. `updated` of `total` pods have its
   * template.
   */
  readonly 'rollout-waits': {
    readonly kind: string;
    readonly name: string;
    readonly images: readonly ImageChange[];
    readonly updated: number;
    readonly total: number;
    readonly isOutdated: boolean;
  };
  /** Errors begin in its log, or become much more frequent, while the cluster's facts show no problem, or a failing probe. */
  readonly 'log-errors': OfContainer & {
    /** Records of level error or fatal since then, among those read. */
    readonly errors: number;
    /** The first error is of a kind that was not read before. */
    readonly isNew: boolean;
  };
}

export type VerdictCode = keyof VerdictKinds;

/** What a rollout changed: images; none if it changed something else. */
export interface RolloutChange {
  readonly revision: number;
  readonly images: readonly ImageChange[];
}

/** What a verdict cannot exclude or does not know, each code with its data. */
export interface DoubtKinds {
  readonly 'events-unreadable': Readonly<Record<never, never>>;
  readonly 'nodes-unreadable': Readonly<Record<never, never>>;
  /** The pods could not be read: whether a trouble still holds is not known. */
  readonly 'pods-unreadable': Readonly<Record<never, never>>;
  readonly 'workloads-unreadable': Readonly<Record<never, never>>;
  /** The events about nodes, which are in a namespace of their own. */
  readonly 'node-events-unreadable': Readonly<Record<never, never>>;
  /** Only events of pods report that their node was not ready. */
  readonly 'node-unread': { readonly node: string };
  /** Logtool kept only the newest of many events: all since `from` (RFC 3339). */
  readonly 'events-cut': { readonly from: string };
  /** The events about that time have expired: the cluster keeps them for a limited time. */
  readonly 'events-expired': Readonly<Record<never, never>>;
  /** `answer`: what the server answered. */
  readonly 'lines-unreadable': {
    readonly container: string;
    readonly why: LogLack;
    readonly answer?: Why | undefined;
  };
  readonly 'no-lines': OfContainer;
  /** Statuses keep only the last ends: how the earlier of these runs ended is unknown. */
  readonly 'earlier-ends-unknown': { readonly restarts: number };
  /** Not all events of that time were read: the kubelet, or a boot of the node, may have ended the container. */
  readonly 'kubelet-unread': Readonly<Record<never, never>>;
  readonly 'sender-unknown': Readonly<Record<never, never>>;
  readonly 'deleter-unknown': Readonly<Record<never, never>>;
  /** These pods are gone, and only their names tell that they were the workload's. */
  readonly 'pods-by-name': { readonly names: readonly string[]; readonly more: number };
  /** The kernel killed a process on the node near that time; nothing identifies its container. */
  readonly 'oom-on-node': { readonly process: string; readonly node: string };
  /** A program can end with this exit code without a signal. */
  readonly 'code-of-program': Readonly<Record<never, never>>;
  /** The report on the node names no container. */
  readonly 'oom-names-no-container': Readonly<Record<never, never>>;
  /** The container runs again, for `runsMs`; its last run lasted `lastedMs`. */
  readonly 'may-end-again': {
    readonly container: string;
    readonly runsMs: number;
    readonly lastedMs: number;
  };
  /**
   * Pods that took the place of evicted ones were evicted too, `times` in all, after `lastedSeconds` at most. The present one
   * runs for `seconds` since the last time.
   */
  readonly 'may-be-evicted-again': {
    readonly times: number;
    readonly seconds: number;
    readonly lastedSeconds: number;
  };
  /** No event reports a kill by the kubelet; its probe failed shortly before the end. */
  readonly 'kill-without-event': Readonly<Record<never, never>>;
  /**
   * An event reports that the kubelet ended an earlier run. The last end has none, and the kubelet may have
   * dropped it.
   */
  readonly 'end-without-event': Readonly<Record<never, never>>;
  /** An event, with this message, reports that the kubelet ended an earlier run; of this one there is none. */
  readonly 'earlier-kill': { readonly message: string };
  /** The probe fails now by the status, but its last event is this old. */
  readonly 'probe-answer-old': { readonly minutes: number };
  /** The cluster does not record since when: the time is the earliest possible. */
  readonly 'begin-unknown': Readonly<Record<never, never>>;
  /** The last event of the failure is this old. */
  readonly 'failure-old': { readonly minutes: number };
  /**
   * A rollout was shortly before the first known sign, but pods of that time had the container restarted, or its probe
   * failed with the same answer, before it. `at`: when that was last seen (RFC 3339).
   */
  readonly 'before-rollout': {
    readonly what: 'restarted' | 'probe-failed';
    readonly container: string;
    readonly at: string;
    readonly images: readonly ImageChange[];
    readonly revision: number;
  };
  /** Its pods were stopped soon after their start, during which the probe fails too. */
  readonly 'slow-start-possible': Readonly<Record<never, never>>;
  /** How the runs ended is unknown. */
  readonly 'ends-unknown': Readonly<Record<never, never>>;
  /** The cluster has events only from this time on (RFC 3339). */
  readonly 'events-since': { readonly from: string };
  /**
   * The log of these containers is known only from this time on (RFC 3339). `why`: the cause of the gap before; `answer`:
   * what the node or the server answered.
   */
  readonly 'logs-begin-late': {
    readonly names: readonly string[];
    readonly more: number;
    readonly from: string;
    readonly why: GapCause['code'];
    readonly answer?: Why | undefined;
  };
  /**
   * Lines of these containers may be missing between two times (RFC 3339), of which the log is known before and after.
   * Absent: from the range's beginning, or to its end. `why`, `answer`: as above.
   */
  readonly 'logs-missing': {
    readonly names: readonly string[];
    readonly more: number;
    readonly why: GapCause['code'];
    readonly answer?: Why | undefined;
    readonly from?: string | undefined;
    readonly to?: string | undefined;
  };
  readonly 'kubelet-gives-no-reason': Readonly<Record<never, never>>;
  readonly 'process-by-name': { readonly process: string };
  /** A line that is new before errors need not be their cause. */
  readonly 'new-is-no-proof': Readonly<Record<never, never>>;
  /**
   * No line of the containers was new in this many seconds before the first error. `names`, `more`: containers of which
   * that is unknown, because less was read.
   */
  readonly 'nothing-new-before': {
    readonly seconds: number;
    readonly names: readonly string[];
    readonly more: number;
  };
  /** The errors begin so early in the range read that nothing before them counts as new. */
  readonly 'too-little-before': Readonly<Record<never, never>>;
  /**
   * There are more kinds of lines than logtool distinguishes. `limit`: per container; `names`: the first containers
   * that exceed it.
   */
  readonly 'kinds-cut': { readonly names: readonly string[]; readonly more: number; readonly limit: number };
  /** Logtool did not read the whole range of these containers. */
  readonly 'logs-cut': {
    /** `pod container` for the first of them. */
    readonly names: readonly string[];
    readonly more: number;
    readonly why: LogLack;
    /** All of them were read up to here (RFC 3339); absent if any was not read at all. */
    readonly until?: string | undefined;
  };
  /** The logs are too large, or come too slowly: logtool read only what was written from this time on (RFC 3339). */
  readonly 'logs-read-late': { readonly from: string };
  /**
   * Errors that begin nowhere in what was read: the first and the last (RFC 3339, whole seconds), and whether there may
   * have been others before it.
   */
  readonly 'steady-errors': {
    readonly names: readonly string[];
    readonly more: number;
    readonly errors: number;
    readonly since: string;
    readonly until: string;
    readonly mayBeOlder: boolean;
    /** They come soon after their containers started, and nothing older of the workload can be read. */
    readonly startedAt?: string | undefined;
    /** The rollout with which these containers started. */
    readonly rollout?: RolloutChange | undefined;
  };
  /** Lines just before the errors may be missing, from this time on if it is known (RFC 3339). */
  readonly 'begun-in-gap': {
    readonly names: readonly string[];
    readonly more: number;
    readonly from?: string | undefined;
  };
}

export type Doubt = {
  readonly [C in keyof DoubtKinds]: { readonly code: C; readonly data: DoubtKinds[C] };
}[keyof DoubtKinds];

/** Last lines of a run before its end, or lines around a moment. */
export interface ProofLines {
  readonly pod: string;
  readonly container: string;
  readonly kind: 'before-exit' | 'around';
  readonly at: Timestamp;
  readonly records: readonly LogRecord[];
  /** Index of the first error among them; undefined if none is an error. */
  readonly firstError: number | undefined;
}

interface VerdictBase {
  /** The affected pods, each once. */
  readonly pods: readonly FactSubject[];
  /** The number of pods, if `pods` has only the first of them. */
  readonly podCount?: number | undefined;
  /** Time of its first known fact. */
  readonly since: Timestamp;
  /** Time of its latest known fact. */
  readonly until: Timestamp;
  /** It no longer holds. */
  readonly isOver: boolean;
  /** Total restarts of its containers, from their pods' counts. */
  readonly restarts: number;
  /** In order; empty if lines of a log are the proof. */
  readonly proof: readonly Fact[];
  readonly lines?: ProofLines | undefined;
  /** The proof of `log-errors`. */
  readonly log?: LogProof | undefined;
  readonly doubts: readonly Doubt[];
  /** The kubelet waits until then before it restarts the container; the earliest of several. */
  readonly nextTry?: Timestamp | undefined;
}

/** One cause, with its proof. */
export type Verdict = { readonly [C in VerdictCode]: VerdictOf<C> }[VerdictCode];
export type VerdictOf<C extends VerdictCode> = VerdictBase & {
  readonly code: C;
  readonly data: VerdictKinds[C];
};
