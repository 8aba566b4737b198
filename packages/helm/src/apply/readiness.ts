import type { KubeObject } from '@logtool/kube/src/client.ts';

/** How far a live object is: `failed` will not become ready by waiting. */
export type Readiness =
  | { readonly state: 'ready' }
  | { readonly state: 'waiting'; readonly why: string }
  | { readonly state: 'failed'; readonly why: string };

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
const waiting = (why: string): Readiness => ({ state: 'waiting', why });
const failed = (why: string): Readiness => ({ state: 'failed', why });

const count = (held: Readonly<Record<string, unknown>> | undefined, field: string, absent = 0) =>
  typeof held?.[field] === 'number' ? held[field] : absent;

/**
 * Whether an object is what its specification asks for, by the rules of kstatus, which Helm 4 waits by
 * (https://github.com/kubernetes-sigs/cli-utils/blob/master/pkg/kstatus/README.md).
 */
export function readinessOf(live: LiveObject): Readiness {
  if (live.metadata.deletionTimestamp !== undefined) return waiting('it is being deleted');
  const { generation } = live.metadata;
  const observed = live.status?.observedGeneration;
  if (generation !== undefined && observed !== undefined && observed < generation)
    return waiting('its controller has not seen the change yet');
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
    atLeast(count(status, 'readyReplicas'), count(spec, 'replicas', 1), 'pods are ready'),
  ReplicationController: ({ spec, status }) =>
    atLeast(count(status, 'readyReplicas'), count(spec, 'replicas', 1), 'pods are ready'),
  Pod: pod,
  'Job.batch': (live) => {
    const ended = jobEnd(live);
    if (ended?.state === 'failed') return ended;
    return live.status?.startTime === undefined ? waiting('it has not started') : READY;
  },
  PersistentVolumeClaim: ({ status }) =>
    status?.phase === 'Bound' ? READY : waiting('no volume is bound to it'),
  Service: ({ spec }) =>
    spec?.type === 'LoadBalancer' && !spec.clusterIP ? waiting('it has no address') : READY,
  'PodDisruptionBudget.policy': ({ status }) =>
    status === undefined ? waiting('its controller has not seen it yet') : READY,
  'CustomResourceDefinition.apiextensions.k8s.io': (live) => {
    const names = conditionOf(live, 'NamesAccepted');
    if (names?.status === 'False') return failed(names.message ?? 'its names are taken');
    return conditionOf(live, 'Established')?.status === 'True' ? READY : waiting('it is not served yet');
  },
};

function deployment(live: LiveObject): Readiness {
  const { spec, status } = live;
  const progressing = conditionOf(live, 'Progressing');
  if (progressing?.reason === 'ProgressDeadlineExceeded')
    return failed(progressing.message ?? 'it has made no progress for too long');
  if (spec?.paused === true) return READY;
  const wanted = count(spec, 'replicas', 1);
  const updated = count(status, 'updatedReplicas');
  if (status?.observedGeneration === undefined) return waiting('its controller has not seen it yet');
  if (updated < wanted) return atLeast(updated, wanted, 'pods are new');
  if (count(status, 'replicas') > updated) return waiting('previous pods still exist');
  return atLeast(count(status, 'availableReplicas'), wanted, 'pods are available');
}

function statefulSet({ spec, status }: LiveObject): Readiness {
  const strategy = (spec?.updateStrategy ?? {}) as { type?: string; rollingUpdate?: { partition?: number } };
  if (strategy.type === 'OnDelete') return READY;
  const wanted = count(spec, 'replicas', 1);
  if (count(status, 'readyReplicas') < wanted)
    return atLeast(count(status, 'readyReplicas'), wanted, 'pods are ready');
  const partition = strategy.rollingUpdate?.partition ?? 0;
  if (partition > 0) return atLeast(count(status, 'updatedReplicas'), wanted - partition, 'pods are new');
  if (status?.currentRevision !== status?.updateRevision)
    return atLeast(count(status, 'updatedReplicas'), wanted, 'pods are new');
  return READY;
}

function daemonSet({ spec, status }: LiveObject): Readiness {
  if ((spec?.updateStrategy as { type?: string } | undefined)?.type === 'OnDelete') return READY;
  if (status?.observedGeneration === undefined) return waiting('its controller has not seen it yet');
  const wanted = count(status, 'desiredNumberScheduled');
  const updated = count(status, 'updatedNumberScheduled');
  if (updated < wanted) return atLeast(updated, wanted, 'pods are new');
  return atLeast(count(status, 'numberAvailable'), wanted, 'pods are available');
}

function pod(live: LiveObject): Readiness {
  switch (live.status?.phase) {
    case 'Succeeded':
      return READY;
    case 'Failed':
      return failed('it has failed');
    default:
      return conditionOf(live, 'Ready')?.status === 'True' ? READY : waiting('it is not ready');
  }
}

/** How a Job ended; undefined: it is still running. */
export function jobEnd(live: LiveObject): Readiness | undefined {
  const why = conditionOf(live, 'Failed');
  if (why?.status === 'True') return failed(why.message ?? why.reason ?? 'the Job has failed');
  if (conditionOf(live, 'Complete')?.status === 'True') return READY;
  return undefined;
}

/** How a Pod ended; undefined: it is still running. */
export function podEnd({ status }: LiveObject): Readiness | undefined {
  if (status?.phase === 'Succeeded') return READY;
  return status?.phase === 'Failed' ? failed('the Pod has failed') : undefined;
}

/** Anything else: by the conditions that kstatus gives a meaning to, if it has them. */
function general(live: LiveObject): Readiness {
  const stalled = conditionOf(live, 'Stalled');
  if (stalled?.status === 'True') return failed(stalled.message ?? 'it is stalled');
  if (conditionOf(live, 'Reconciling')?.status === 'True') return waiting('its controller is at work');
  const ready = conditionOf(live, 'Ready');
  return ready === undefined || ready.status === 'True' ? READY : waiting(ready.message ?? 'it is not ready');
}

function conditionOf({ status }: LiveObject, type: string): Condition | undefined {
  const conditions: unknown = status?.conditions;
  if (!Array.isArray(conditions)) return undefined;
  return (conditions as (Condition | null)[]).find((condition) => condition?.type === type) ?? undefined;
}

function atLeast(have: number, wanted: number, what: string): Readiness {
  return have >= wanted ? READY : waiting(`${have} of ${wanted} ${what}`);
}
