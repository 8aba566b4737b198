import type { KubeObject } from '@logtool/kube/src/client.ts';
import { asRecord } from '@logtool/kube/src/values/as-record.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Workload } from '../../domain/container.ts';
import type { FactSubject } from '../../domain/facts/fact.ts';
import type { Probe } from '../../domain/verdicts/verdict.ts';
import { readPod, workloadOf } from '../../resolve/pods/pod-facts.ts';
import { countOf, listOf, textOf } from '../../resolve/pods/read-json.ts';
import { timeOf } from '../facts-of-pod.ts';
import { subjectOf } from '../facts-of-workload.ts';

type Json = Readonly<Record<string, unknown>>;

/** The current state of a pod. */
export interface PodNow {
  readonly subject: FactSubject;
  readonly node: string | undefined;
  readonly createdAt: Timestamp | undefined;
  readonly phase: string;
  readonly isReady: boolean;
  /** Since when it has been ready without a break; undefined if it is not. */
  readonly readySince: Timestamp | undefined;
  /** It has ended, and none of its containers starts again. */
  readonly isOver: boolean;
  readonly isDeleting: boolean;
  /** It is being deleted, and should be gone by now. */
  readonly isOverdue: boolean;
  /** What must happen elsewhere before the cluster removes it. */
  readonly finalizers: readonly string[];
  readonly containers: readonly ContainerNow[];
  /** How long its containers may take to end after SIGTERM, in seconds. */
  readonly graceSeconds: number;
  /** The hash of its template, of a pod of a StatefulSet (`db-6c94b59c4d`) or DaemonSet (`6c94b59c4d`). */
  readonly revision: string | undefined;
  /** Its owner: `ReplicaSet web-7d9f`. */
  readonly owner: { readonly kind: string; readonly name: string } | undefined;
  /** The workload of that owner. */
  readonly workload: Workload | undefined;
}

export interface ContainerNow {
  readonly name: string;
  readonly restarts: number;
  /** The others start only after it has ended. */
  readonly isInit: boolean;
  readonly isRunning: boolean;
  /** Since when it runs. */
  readonly runsSince: Timestamp | undefined;
  /** It is ready by its own probes; of an init container: it is done. */
  readonly isReady: boolean;
  /** Whether its startup probe has succeeded, or it has none; undefined if the cluster does not report it. */
  readonly isStarted: boolean | undefined;
  /** Its waiting reason (`CrashLoopBackOff`); undefined if it does not wait. */
  readonly waiting: string | undefined;
  /** Maximum seconds from a probe's first failure to its effect, by probe: failures in a row and their timeouts. */
  readonly probeSeconds: Readonly<Partial<Record<Probe, number | undefined>>>;
  /** How long after its start a container has that effect at the earliest, in seconds. */
  readonly probeMinSeconds: Readonly<Partial<Record<Probe, number | undefined>>>;
  /** How many failures in a row have that effect. */
  readonly probeThresholds: Readonly<Partial<Record<Probe, number | undefined>>>;
}

/**
 * Time after the grace period in which the kubelet cleans up and reports a pod as gone. Unmounting its volumes takes
 * most of it.
 */
const CLEANUP_SECONDS = 30;

/** `now`: when the object was read. */
export function readPodNow(object: KubeObject, now: Timestamp): PodNow {
  const { metadata, spec, status: given } = object as KubeObject & Json;
  const status = asRecord(given);
  const phase = textOf(status?.phase) ?? '';
  const ready = listOf(status?.conditions).find(({ type }) => type === 'Ready');
  const statuses = [...listOf(status?.initContainerStatuses), ...listOf(status?.containerStatuses)];
  const owner = metadata.ownerReferences?.[0];
  // The grace period is part of it: https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-termination
  const endsAt = timeOf(metadata.deletionTimestamp);
  const { finalizers } = metadata as unknown as Json;
  return {
    subject: subjectOf('Pod', object),
    node: textOf(asRecord(spec)?.nodeName),
    createdAt: timeOf(metadata.creationTimestamp),
    phase,
    isReady: ready?.status === 'True',
    readySince: ready?.status === 'True' ? timeOf(ready.lastTransitionTime) : undefined,
    isOver: phase === 'Failed' || phase === 'Succeeded',
    isDeleting: endsAt !== undefined,
    isOverdue: endsAt !== undefined && now.seconds > endsAt.seconds + CLEANUP_SECONDS,
    finalizers: Array.isArray(finalizers) ? finalizers.flatMap((name) => textOf(name) ?? []) : [],
    containers: statuses.map((each) => readContainerNow(each, asRecord(spec))),
    graceSeconds: countOf(asRecord(spec)?.terminationGracePeriodSeconds) ?? DEFAULT_GRACE_SECONDS,
    revision: metadata.labels?.['controller-revision-hash'],
    owner: owner && { kind: owner.kind, name: owner.name },
    workload: workloadOf(readPod(object)),
  };
}

/** https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-termination */
export const DEFAULT_GRACE_SECONDS = 30;

function readContainerNow(
  { name, restartCount, ready, started, state }: Json,
  spec: Json | undefined,
): ContainerNow {
  const own = [...listOf(spec?.initContainers), ...listOf(spec?.containers)].find(
    (container) => container.name === name,
  );
  const running = asRecord(asRecord(state)?.running);
  return {
    name: textOf(name) ?? '',
    restarts: countOf(restartCount) ?? 0,
    isInit: listOf(spec?.initContainers).some(
      (each) => each.name === name && each.restartPolicy !== 'Always',
    ),
    isRunning: running !== undefined,
    runsSince: timeOf(running?.startedAt),
    isReady: ready === true,
    isStarted: typeof started === 'boolean' ? started : undefined,
    waiting: textOf(asRecord(asRecord(state)?.waiting)?.reason),
    probeSeconds: {
      liveness: probeSecondsOf(own?.livenessProbe),
      readiness: probeSecondsOf(own?.readinessProbe),
      startup: probeSecondsOf(own?.startupProbe),
    },
    probeMinSeconds: {
      liveness: probeMinSecondsOf(own?.livenessProbe),
      readiness: probeMinSecondsOf(own?.readinessProbe),
      startup: probeMinSecondsOf(own?.startupProbe),
    },
    probeThresholds: {
      liveness: thresholdOf(own?.livenessProbe),
      readiness: thresholdOf(own?.readinessProbe),
      startup: thresholdOf(own?.startupProbe),
    },
  };
}

/** The defaults are the API's (k8s.io/kubernetes/pkg/apis/core/v1, SetDefaults_Probe). */
function probeSecondsOf(probe: unknown): number | undefined {
  const { periodSeconds, timeoutSeconds } = asRecord(probe) ?? {};
  const failures = thresholdOf(probe);
  return failures && failures * ((countOf(periodSeconds) ?? 10) + (countOf(timeoutSeconds) ?? 1));
}

/** The kubelet probes at each period, and not before the delay (pkg/kubelet/prober, doProbe). */
function probeMinSecondsOf(probe: unknown): number | undefined {
  const { initialDelaySeconds, periodSeconds } = asRecord(probe) ?? {};
  const failures = thresholdOf(probe);
  return failures && (countOf(initialDelaySeconds) ?? 0) + (failures - 1) * (countOf(periodSeconds) ?? 10);
}

function thresholdOf(probe: unknown): number | undefined {
  return probe === undefined ? undefined : (countOf(asRecord(probe)?.failureThreshold) ?? 3);
}

export function containerOf(pod: PodNow | undefined, name: string | undefined): ContainerNow | undefined {
  return pod?.containers.find((container) => container.name === name);
}
