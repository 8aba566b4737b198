import { EVENTS, PODS } from '@logtool/kube/src/builtin-resources.ts';
import type {
  CollectionQuery,
  KubeClient,
  KubeObject,
  RequestOptions,
  ResourceType,
} from '@logtool/kube/src/client.ts';
import { KubeError } from '@logtool/kube/src/errors.ts';
import type { Inspection } from '../failures.ts';
import { type ImageTrouble, pullCause } from './image-trouble.ts';
import type { Trouble, Warning } from './obstacle.ts';
import { descriptionOf, podTrouble } from './pod-trouble.ts';
import type { LiveObject } from './readiness.ts';
import type { Target } from './target.ts';

/** What keeps an object from being ready, and the command that shows more. */
export interface FoundTrouble {
  readonly trouble: Trouble;
  readonly inspect: Inspection;
  /** Set if a container waits for its image. */
  readonly image?: ImageTrouble | undefined;
}

/** Finds what keeps a live object from being ready; resolves to undefined if nothing is visible. */
export type TroubleFinder = (target: Target, live: LiveObject) => Promise<FoundTrouble | undefined>;

interface WarningEvent extends KubeObject {
  readonly message?: string;
  readonly reason?: string;
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
}

export interface FinderOptions extends RequestOptions {
  /** By the cluster's clock; pods created before this are older than the action. */
  readonly since?: string | undefined;
}

/**
 * Finds what keeps an object from being ready: pods that its controller cannot create, the state of the pods that it
 * selects, and warning events. Without permission to read those it finds less, and does not repeat a forbidden request.
 */
export function createTroubleFinder(client: KubeClient, options: FinderOptions): TroubleFinder {
  const list = forgivingList(client, options);
  return async (target, live) => {
    const describe = descriptionOf(target.type.plural, target.object.name, target.namespace);
    const refused = live.status?.conditions?.find((condition) => condition?.type === 'ReplicaFailure');
    if (refused?.status === 'True') {
      const message = refused.message ?? refused.reason;
      return { trouble: { problem: { of: 'refused-pods', message }, otherPods: 0 }, inspect: describe };
    }
    const trouble = await troubleOfPods(list, await podsOf(list, live), options.since);
    if (trouble !== undefined) return trouble;
    const warning = await lastWarning(list, live);
    if (warning === undefined) return undefined;
    return { trouble: { problem: { of: 'event', ...warning }, otherPods: 0 }, inspect: describe };
  };
}

type ListAll = <T extends KubeObject>(type: ResourceType, query: CollectionQuery) => Promise<T[]>;

/** Lists what the user is permitted to read, and returns an empty list for the rest. */
function forgivingList(client: KubeClient, options: RequestOptions): ListAll {
  const denied = new Set<string>();
  return async <T extends KubeObject>(type: ResourceType, query: CollectionQuery) => {
    const scope = JSON.stringify([type.plural, query.namespace]);
    const found: T[] = [];
    if (denied.has(scope)) return found;
    try {
      for await (const { items } of client.list<T>(type, query, options)) found.push(...items);
    } catch (error) {
      // The result only supplements the object's own status, so a failed request must not hide that status.
      if (!(error instanceof KubeError) || options.signal?.aborted) throw error;
      if (error.kind === 'forbidden') denied.add(scope);
    }
    return found;
  };
}

async function lastWarning(list: ListAll, object: KubeObject): Promise<Warning | undefined> {
  const newest = await newestWarning(list, object, () => true);
  return newest && { reason: newest.reason ?? '', message: newest.message ?? '' };
}

async function newestWarning(
  list: ListAll,
  { metadata }: KubeObject,
  isWanted: (event: WarningEvent) => boolean,
): Promise<WarningEvent | undefined> {
  const fieldSelector = `involvedObject.uid=${metadata.uid},type=Warning`;
  // Events of cluster-scoped objects are in this namespace.
  const namespace = metadata.namespace ?? 'default';
  const events = await list<WarningEvent>(EVENTS, { namespace, fieldSelector });
  return events
    .filter(isWanted)
    .reduce<WarningEvent | undefined>(
      (last, event) => (last === undefined || timeOf(event) >= timeOf(last) ? event : last),
      undefined,
    );
}

/** Returns the pods of an object, newest first: older ones may belong to the previous revision. */
async function podsOf(list: ListAll, live: LiveObject): Promise<readonly LiveObject[]> {
  if (live.kind === 'Pod') return [live];
  const labelSelector = selectorOf(live);
  if (labelSelector === undefined) return [];
  const pods = await list<LiveObject>(PODS, { namespace: live.metadata.namespace, labelSelector });
  return pods.sort((a, b) => compare(createdAt(b), createdAt(a)));
}

async function troubleOfPods(
  list: ListAll,
  pods: readonly LiveObject[],
  since: string | undefined,
): Promise<FoundTrouble | undefined> {
  const troubles = pods.flatMap((pod) => {
    const trouble = pod.metadata.deletionTimestamp === undefined ? podTrouble(pod) : undefined;
    return trouble === undefined ? [] : [{ pod, trouble }];
  });
  // An image problem affects all pods with that image, and its remedy is known.
  const ofImages = troubles.filter(({ trouble }) => trouble.image !== undefined);
  const clear = troubles.filter(({ trouble }) => !trouble.isVague);
  const first = ofImages[0] ?? clear[0] ?? troubles[0];
  if (first === undefined) return undefined;
  const { pod, trouble } = first;
  const otherPods = troubles.filter((one) => one.trouble.kind === trouble.kind).length - 1;
  const warning = trouble.isVague ? await lastWarning(list, pod) : undefined;
  // A pod that has not started and has no warning may only need more time.
  if (trouble.isVague && warning === undefined) return undefined;
  const image = trouble.image && (await withCause(list, pod, trouble.image, since));
  const { problem, inspect } = trouble;
  return { trouble: { problem, warning, otherPods }, inspect, image };
}

/** While older kubelets back off, they report only the backoff; the reason is in an event. */
async function withCause(
  list: ListAll,
  pod: LiveObject,
  image: ImageTrouble,
  since: string | undefined,
): Promise<ImageTrouble> {
  const isOld = since !== undefined && createdAt(pod) < since;
  if (image.cause !== '') return { ...image, isOld };
  const isOfPull = ({ message = '' }: WarningEvent) => message.startsWith('Failed to pull image');
  const event = await newestWarning(list, pod, isOfPull);
  return { ...image, isOld, cause: pullCause(event?.message ?? '') };
}

const WORKLOADS = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'Job']);

/**
 * Returns the label selector of a workload's pods, in the syntax of a list request; undefined if it has no pods of its
 * own.
 */
function selectorOf({ kind = '', spec }: LiveObject): string | undefined {
  const held: unknown = spec?.selector;
  if (typeof held !== 'object' || held === null) return undefined;
  if (kind === 'ReplicationController') return labelsText(held);
  if (!WORKLOADS.has(kind)) return undefined;
  const { matchLabels = {}, matchExpressions = [] } = held as {
    readonly matchLabels?: object;
    readonly matchExpressions?: readonly {
      readonly key: string;
      readonly operator: string;
      readonly values?: readonly string[];
    }[];
  };
  const expressions = matchExpressions.map(({ key, operator, values = [] }) => {
    if (operator === 'Exists') return key;
    if (operator === 'DoesNotExist') return `!${key}`;
    return `${key} ${operator === 'In' ? 'in' : 'notin'} (${values.join(',')})`;
  });
  const text = [labelsText(matchLabels), ...expressions]
    .filter((requirement) => requirement !== '')
    .join(',');
  return text === '' ? undefined : text;
}

const labelsText = (labels: object) =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');

const timeOf = ({ lastTimestamp, eventTime, metadata }: WarningEvent) =>
  Date.parse(lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '') || 0;
const createdAt = ({ metadata }: KubeObject) => metadata.creationTimestamp ?? '';
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
