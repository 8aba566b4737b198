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

/** What keeps an object from being ready, and what shows more of it. */
export interface FoundTrouble {
  readonly trouble: Trouble;
  readonly inspect: Inspection;
  /** A container waits for its image. */
  readonly image?: ImageTrouble | undefined;
}

/** Finds what keeps a live object from being ready; undefined: nothing visible. */
export type TroubleFinder = (target: Target, live: LiveObject) => Promise<FoundTrouble | undefined>;

interface WarningEvent extends KubeObject {
  readonly message?: string;
  readonly reason?: string;
  readonly lastTimestamp?: string | null;
  readonly eventTime?: string | null;
}

export interface FinderOptions extends RequestOptions {
  /** By the cluster's clock: pods made before are older than what is waited for. */
  readonly since?: string | undefined;
}

/**
 * Finds what keeps an object from being ready: pods that its controller cannot make, the pods that it selects, and
 * warnings. Without the permission to read those it finds less, and does not ask again for what is forbidden.
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

/** Lists what it may, and gives nothing of the rest. */
function forgivingList(client: KubeClient, options: RequestOptions): ListAll {
  const denied = new Set<string>();
  return async <T extends KubeObject>(type: ResourceType, query: CollectionQuery) => {
    const scope = JSON.stringify([type.plural, query.namespace]);
    const found: T[] = [];
    if (denied.has(scope)) return found;
    try {
      for await (const { items } of client.list<T>(type, query, options)) found.push(...items);
    } catch (error) {
      // It is shown beside what the object itself says: an answer that does not come takes nothing away from that.
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
  // Those of objects without a namespace are in this one.
  const namespace = metadata.namespace ?? 'default';
  const events = await list<WarningEvent>(EVENTS, { namespace, fieldSelector });
  return events
    .filter(isWanted)
    .reduce<WarningEvent | undefined>(
      (last, event) => (last === undefined || timeOf(event) >= timeOf(last) ? event : last),
      undefined,
    );
}

/** The pods of an object, the youngest first: older ones may be those of the revision before. */
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
  // What is wrong with an image is wrong with all pods of it, and its remedy is known.
  const ofImages = troubles.filter(({ trouble }) => trouble.image !== undefined);
  const clear = troubles.filter(({ trouble }) => !trouble.isVague);
  const first = ofImages[0] ?? clear[0] ?? troubles[0];
  if (first === undefined) return undefined;
  const { pod, trouble } = first;
  const otherPods = troubles.filter((one) => one.trouble.kind === trouble.kind).length - 1;
  const warning = trouble.isVague ? await lastWarning(list, pod) : undefined;
  // Whatever has not started yet, and was warned of nothing, may just take its time.
  if (trouble.isVague && warning === undefined) return undefined;
  const image = trouble.image && (await withCause(list, pod, trouble.image, since));
  const { problem, inspect } = trouble;
  return { trouble: { problem, warning, otherPods }, inspect, image };
}

/** Older kubelets report while they back off only that they do; the reason is in an event. */
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

/** The label selector of the pods of a workload, as a list request takes it; undefined: it has no pods of its own. */
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
