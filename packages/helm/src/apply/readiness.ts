import type { KubeObject } from '@logtool/kube/src/client.ts';
import type { Obstacle, ObstacleCode } from './obstacle.ts';

/** How far a live object is; a `failed` one cannot become ready by waiting. */
export type Readiness =
  | { readonly state: 'ready' }
  | { readonly state: 'waiting'; readonly obstacle: Obstacle }
  | { readonly state: 'failed'; readonly obstacle: Obstacle };

interface Condition {
  readonly type?: string;
  readonly status?: string;
  readonly reason?: string;
  readonly message?: string;
}

/** The parts of an object that show its progress; any may be missing or of another type. */
export interface LiveObject extends KubeObject {
  readonly metadata: KubeObject['metadata'] & {
    readonly generation?: number;
    readonly finalizers?: readonly string[];
  };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>> & {
    readonly observedGeneration?: number;
    readonly conditions?: readonly Condition[];
    readonly phase?: string;
  };
}

const READY: Readiness = { state: 'ready' };

/** `message`: its controller's own message, if any. */
const waiting = (problem: ObstacleCode, message?: string): Readiness => ({
  state: 'waiting',
  obstacle: message === undefined ? { problem } : { problem: 'reported', message },
});
const failed = (problem: ObstacleCode, message?: string): Readiness => ({
  state: 'failed',
  obstacle: message === undefined ? { problem } : { problem: 'reported', message },
});

const count = (held: Readonly<Record<string, unknown>> | undefined, field: string, absent = 0) =>
  typeof held?.[field] === 'number' ? held[field] : absent;

/**
 * Returns whether an object matches its specification, by the rules of kstatus, which Helm 4 uses for waiting
 * (https://github.com/kubernetes-sigs/cli-utils/blob/master/pkg/kstatus/README.md).
 */
export function readinessOf(live: LiveObject): Readiness {
  if (live.metadata.deletionTimestamp !== undefined) return waiting('being-deleted');
  const { generation } = live.metadata;
  const observed = live.status?.observedGeneration;
  if (generation !== undefined && observed !== undefined && observed < generation)
    return waiting('change-not-seen');
  const rule = Object.hasOwn(RULES, ruleName(live)) ? RULES[ruleName(live)] : undefined;
  return rule === undefined ? general(live) : rule(live);
}

function ruleName({ apiVersion = '', kind = '' }: LiveObject): string {
  const slash = apiVersion.indexOf('/');
  return slash === -1 ? kind : `${kind}.${apiVersion.slice(0, slash)}`;
}

const RULES: Readonly<Record<string, (live: LiveObject) => Readiness>> = {
  'Deployment.apps': deployment,
  'StatefulSet.apps': statefulSet,
  'DaemonSet.apps': daemonSet,
  'ReplicaSet.apps': ({ spec, status }) =>
    atLeast(count(status, 'readyReplicas'), count(spec, 'replicas', 1), 'ready'),
  ReplicationController: ({ spec, status }) =>
    atLeast(count(status, 'readyReplicas'), count(spec, 'replicas', 1), 'ready'),
  Pod: pod,
  'Job.batch': (live) => {
    const ended = jobEnd(live);
    if (ended?.state === 'failed') return ended;
    return live.status?.startTime === undefined ? waiting('not-started') : READY;
  },
  PersistentVolumeClaim: ({ status }) => (status?.phase === 'Bound' ? READY : waiting('no-volume')),
  Service: ({ spec }) => (spec?.type === 'LoadBalancer' && !spec.clusterIP ? waiting('no-address') : READY),
  'PodDisruptionBudget.policy': ({ status }) => (status === undefined ? waiting('not-seen') : READY),
  'CustomResourceDefinition.apiextensions.k8s.io': (live) => {
    const names = conditionOf(live, 'NamesAccepted');
    if (names?.status === 'False') return failed('names-taken', names.message);
    return conditionOf(live, 'Established')?.status === 'True' ? READY : waiting('not-served');
  },
};

function deployment(live: LiveObject): Readiness {
  const { spec, status } = live;
  const progressing = conditionOf(live, 'Progressing');
  if (progressing?.reason === 'ProgressDeadlineExceeded') return failed('no-progress', progressing.message);
  if (spec?.paused === true) return READY;
  const wanted = count(spec, 'replicas', 1);
  const updated = count(status, 'updatedReplicas');
  if (status?.observedGeneration === undefined) return waiting('not-seen');
  if (updated < wanted) return atLeast(updated, wanted, 'new');
  if (count(status, 'replicas') > updated) return waiting('previous-pods');
  return atLeast(count(status, 'availableReplicas'), wanted, 'available');
}

function statefulSet({ spec, status }: LiveObject): Readiness {
  const strategy = (spec?.updateStrategy ?? {}) as { type?: string; rollingUpdate?: { partition?: number } };
  if (strategy.type === 'OnDelete') return READY;
  const wanted = count(spec, 'replicas', 1);
  if (count(status, 'readyReplicas') < wanted)
    return atLeast(count(status, 'readyReplicas'), wanted, 'ready');
  const partition = strategy.rollingUpdate?.partition ?? 0;
  if (partition > 0) return atLeast(count(status, 'updatedReplicas'), wanted - partition, 'new');
  if (status?.currentRevision !== status?.updateRevision)
    return atLeast(count(status, 'updatedReplicas'), wanted, 'new');
  return READY;
}

function daemonSet({ spec, status }: LiveObject): Readiness {
  if ((spec?.updateStrategy as { type?: string } | undefined)?.type === 'OnDelete') return READY;
  if (status?.observedGeneration === undefined) return waiting('not-seen');
  const wanted = count(status, 'desiredNumberScheduled');
  const updated = count(status, 'updatedNumberScheduled');
  if (updated < wanted) return atLeast(updated, wanted, 'new');
  return atLeast(count(status, 'numberAvailable'), wanted, 'available');
}

function pod(live: LiveObject): Readiness {
  switch (live.status?.phase) {
    case 'Succeeded':
      return READY;
    case 'Failed':
      return failed('failed');
    default:
      return conditionOf(live, 'Ready')?.status === 'True' ? READY : waiting('not-ready');
  }
}

/** Returns how a Job ended; undefined if it is still running. */
export function jobEnd(live: LiveObject): Readiness | undefined {
  const why = conditionOf(live, 'Failed');
  if (why?.status === 'True') return failed('job-failed', why.message ?? why.reason);
  if (conditionOf(live, 'Complete')?.status === 'True') return READY;
  return undefined;
}

/** Returns how a Pod ended; undefined if it is still running. */
export function podEnd({ status }: LiveObject): Readiness | undefined {
  if (status?.phase === 'Succeeded') return READY;
  return status?.phase === 'Failed' ? failed('pod-failed') : undefined;
}

/** For all other kinds: uses the conditions that kstatus defines, if present. */
function general(live: LiveObject): Readiness {
  const stalled = conditionOf(live, 'Stalled');
  if (stalled?.status === 'True') return failed('stalled', stalled.message);
  if (conditionOf(live, 'Reconciling')?.status === 'True') return waiting('reconciling');
  const ready = conditionOf(live, 'Ready');
  return ready === undefined || ready.status === 'True' ? READY : waiting('not-ready', ready.message);
}

function conditionOf({ status }: LiveObject, type: string): Condition | undefined {
  const conditions: unknown = status?.conditions;
  if (!Array.isArray(conditions)) return undefined;
  return (conditions as (Condition | null)[]).find((condition) => condition?.type === type) ?? undefined;
}

function atLeast(count: number, wanted: number, are: 'ready' | 'new' | 'available'): Readiness {
  if (count >= wanted) return READY;
  return { state: 'waiting', obstacle: { problem: 'pods-missing', count, wanted, are } };
}
