import { labelsMatch as requirementsMatch } from '../../api/read/label-selector.ts';
import type { Store, StoredObject } from '../../store/store.ts';
import { type Taint, taintsOf } from '../nodes/node-status.ts';
import { labelsMatch, podSpec, podStatus } from '../objects.ts';
import { podsOn } from '../related.ts';
import { readSelector, selectorMatches } from '../selects.ts';
import type { NodeLoads } from './node-loads.ts';
import { quantityOf, type Requests, requestsOf } from './quantity.ts';

/** Why a pod does not fit a node, in the scheduler's wording. */
export interface Refusal {
  readonly reasons: readonly string[];
  /** Whether fewer pods on the node would help. */
  readonly isResolvable: boolean;
}

interface Toleration {
  readonly key?: string;
  readonly operator?: string;
  readonly value?: string;
  readonly effect?: string;
}

interface NodeTerm {
  readonly matchExpressions?: readonly Expression[];
  readonly matchFields?: readonly Expression[];
}

interface Expression {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

interface PodTerm {
  readonly labelSelector?: object;
  readonly topologyKey: string;
}

interface Affinity {
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: {
      readonly nodeSelectorTerms?: readonly NodeTerm[];
    };
  };
  readonly podAffinity?: PodTerms;
  readonly podAntiAffinity?: PodTerms;
}

interface PodTerms {
  readonly requiredDuringSchedulingIgnoredDuringExecution?: readonly PodTerm[];
}

/** What a pod requires of a node, read once for all nodes. */
export interface PodDemands {
  readonly pod: StoredObject;
  readonly requests: Requests;
  readonly tolerations: readonly Toleration[];
  readonly selector: Readonly<Record<string, string>> | undefined;
  readonly affinity: Affinity;
  /** The node affinity terms of each existing volume, which define where it is reachable. */
  readonly volumeTerms: readonly (readonly NodeTerm[])[];
}

export function demandsOf(pod: StoredObject, volumes: readonly StoredObject[]): PodDemands {
  const spec = podSpec(pod);
  return {
    pod,
    requests: requestsOf(spec),
    tolerations: (spec.tolerations ?? []) as readonly Toleration[],
    selector: spec.nodeSelector,
    affinity: (spec.affinity ?? {}) as Affinity,
    volumeTerms: volumes.flatMap((volume) => {
      const affinity = volume.spec?.nodeAffinity as
        | { required?: { nodeSelectorTerms?: NodeTerm[] } }
        | undefined;
      return affinity?.required?.nodeSelectorTerms === undefined ? [] : [affinity.required.nodeSelectorTerms];
    }),
  };
}

/**
 * Applies the scheduler's filters in their order (pkg/scheduler/framework/plugins); returns undefined if the pod fits
 * the node.
 */
export function refusalOf(
  node: StoredObject,
  demands: PodDemands,
  loads: NodeLoads,
  store: Store,
): Refusal | undefined {
  const fixed = fixedReason(node, demands);
  if (fixed !== undefined) return { reasons: [fixed], isResolvable: false };
  const lacking = lackingOf(node, demands, loads, nominatedOn(store, node, demands.pod));
  if (lacking.length > 0) return { reasons: lacking, isResolvable: true };
  if (!demands.volumeTerms.every((terms) => anyTermMatches(terms, node)))
    return { reasons: ["node(s) didn't match PersistentVolume's node affinity"], isResolvable: false };
  return neighborRefusal(node, demands, store);
}

function fixedReason(node: StoredObject, demands: PodDemands): string | undefined {
  const { unschedulable, isReady } = factsOf(node);
  const { tolerations, selector, affinity } = demands;
  if (unschedulable && !tolerates(tolerations, UNSCHEDULABLE)) return 'node(s) were unschedulable';
  const taints = taintsOf(node).filter(({ effect }) => effect !== 'PreferNoSchedule');
  if (!taints.every((taint) => tolerates(tolerations, taint))) return 'node(s) had untolerated taint(s)';
  // A node that is not ready gets its taint together with the condition.
  if (!isReady && taints.length === 0 && !tolerates(tolerations, NOT_READY))
    return 'node(s) had untolerated taint(s)';
  const terms = affinity.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
  const isWanted = selector === undefined || labelsMatch(selector, node.metadata.labels);
  return isWanted && (terms === undefined || anyTermMatches(terms, node))
    ? undefined
    : "node(s) didn't match Pod's node affinity/selector";
}

const UNSCHEDULABLE: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };
const NOT_READY: Taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };

function tolerates(tolerations: readonly Toleration[], taint: Taint): boolean {
  return tolerations.some(
    ({ key, operator = 'Equal', value = '', effect }) =>
      (effect === undefined || effect === taint.effect) &&
      (key === undefined ? operator === 'Exists' : key === taint.key) &&
      (operator === 'Exists' || value === (taint.value ?? '')),
  );
}

/**
 * Returns the resources of which the node has too little left (pkg/scheduler/framework/plugins/noderesources/fit.go).
 */
function lackingOf(
  node: StoredObject,
  { requests }: PodDemands,
  loads: NodeLoads,
  nominated: readonly Requests[],
): readonly string[] {
  const { room, cpu, memory } = factsOf(node);
  const { name } = node.metadata;
  const used = nominated.reduce(
    (sum, one) => ({ cpu: sum.cpu + one.cpu, memory: sum.memory + one.memory }),
    loads.requests(name),
  );
  return [
    ...(loads.pods(name) + nominated.length >= room ? ['Too many pods'] : []),
    ...(requests.cpu > 0 && used.cpu + requests.cpu > cpu ? ['Insufficient cpu'] : []),
    ...(requests.memory > 0 && used.memory + requests.memory > memory ? ['Insufficient memory'] : []),
  ];
}

/** Returns the requests of pods with at least the same priority that wait for preempted room on a node. */
function nominatedOn(store: Store, node: StoredObject, pod: StoredObject): readonly Requests[] {
  return store
    .index('pods', 'nominated', nominatedNodes)
    .of(node.metadata.name)
    .filter((other) => other.metadata.uid !== pod.metadata.uid && priorityOf(other) >= priorityOf(pod))
    .map((other) => requestsOf(podSpec(other)));
}

function nominatedNodes(pod: StoredObject): readonly string[] {
  const { nominatedNodeName } = podStatus(pod);
  const isWaiting = podSpec(pod).nodeName === undefined && typeof nominatedNodeName === 'string';
  return isWaiting ? [nominatedNodeName] : [];
}

export function priorityOf(pod: StoredObject): number {
  return Number(podSpec(pod).priority ?? 0);
}

function anyTermMatches(terms: readonly NodeTerm[], { metadata }: StoredObject): boolean {
  return terms.some(
    ({ matchExpressions = [], matchFields = [] }) =>
      matchExpressions.length + matchFields.length > 0 &&
      requirementsMatch(readSelector({ matchExpressions }), metadata.labels) &&
      requirementsMatch(readSelector({ matchExpressions: matchFields }), { 'metadata.name': metadata.name }),
  );
}

/** Checks pod affinity and anti-affinity: pkg/scheduler/framework/plugins/interpodaffinity/filtering.go. */
function neighborRefusal(
  node: StoredObject,
  { pod, affinity }: PodDemands,
  store: Store,
): Refusal | undefined {
  const wanted = affinity.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  const unwanted = affinity.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
  if (wanted.length + unwanted.length === 0) return undefined;
  const hasNeighbor = ({ topologyKey, labelSelector }: PodTerm) => {
    const domain = node.metadata.labels?.[topologyKey];
    return store
      .list('nodes')
      .filter(({ metadata }) => domain !== undefined && metadata.labels?.[topologyKey] === domain)
      .flatMap(({ metadata }) => podsOn(store, metadata.name))
      .some(
        (other) =>
          other.metadata.namespace === pod.metadata.namespace && selectorMatches(labelSelector, other),
      );
  };
  if (!wanted.every(hasNeighbor))
    return { reasons: ["node(s) didn't match pod affinity rules"], isResolvable: false };
  return unwanted.some(hasNeighbor)
    ? { reasons: ["node(s) didn't match pod anti-affinity rules"], isResolvable: true }
    : undefined;
}

/** What the scheduler knows about a node; read once for each version of the object. */
interface NodeFacts {
  readonly unschedulable: boolean;
  readonly isReady: boolean;
  /** How many pods fit. */
  readonly room: number;
  /** Thousandths of a core. */
  readonly cpu: number;
  /** Bytes. */
  readonly memory: number;
}

const DEFAULT_ROOM = 110;
const knownFacts = new WeakMap<StoredObject, NodeFacts>();

export function factsOf(node: StoredObject): NodeFacts {
  const read = knownFacts.get(node);
  if (read !== undefined) return read;
  const { unschedulable } = (node.spec ?? {}) as { unschedulable?: boolean };
  const { allocatable, conditions } = (node.status ?? {}) as {
    allocatable?: { pods?: string; cpu?: string; memory?: string };
    conditions?: { type: string; status: string }[];
  };
  const facts = {
    unschedulable: unschedulable === true,
    isReady: conditions?.some((c) => c.type === 'Ready' && c.status === 'True') === true,
    room: Number(allocatable?.pods ?? DEFAULT_ROOM),
    cpu: quantityOf(allocatable?.cpu) * 1000,
    memory: quantityOf(allocatable?.memory),
  };
  knownFacts.set(node, facts);
  return facts;
}
