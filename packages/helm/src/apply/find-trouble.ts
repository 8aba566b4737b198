import { EVENTS, PODS } from '@logtool/kube/src/builtin-resources.ts';
import type {
  CollectionQuery,
  KubeClient,
  KubeObject,
  RequestOptions,
  ResourceType,
} from '@logtool/kube/src/client.ts';
import { KubeError } from '@logtool/kube/src/errors.ts';
import { type ImageTrouble, pullCause } from './image-trouble.ts';
import { describeText, type PodTrouble, podTrouble, type Trouble } from './pod-trouble.ts';
import type { LiveObject } from './readiness.ts';
import type { Target } from './target.ts';

/** Tells what keeps a live object from being ready; undefined: nothing that can be seen. */
export type TroubleFinder = (target: Target, live: LiveObject) => Promise<Trouble | undefined>;

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
 * Looks behind an object that is not ready: what its controller says of pods that are refused, at the pods that it
 * selects, at what was warned of. Whoever may not look there is told less, and nothing is asked for twice that is not
 * allowed.
 */
export function createTroubleFinder(client: KubeClient, options: FinderOptions): TroubleFinder {
  const denied = new Set<string>();

  async function listAll<T extends KubeObject>(type: ResourceType, query: CollectionQuery): Promise<T[]> {
    const place = JSON.stringify([type.plural, query.namespace]);
    const found: T[] = [];
    if (denied.has(place)) return found;
    try {
      for await (const { items } of client.list<T>(type, query, options)) found.push(...items);
    } catch (error) {
      // It is told beside what the object itself says: an answer that does not come takes nothing away from that.
      if (!(error instanceof KubeError) || options.signal?.aborted) throw error;
      if (error.kind === 'forbidden') denied.add(place);
    }
    return found;
  }

  async function lastWarning(object: KubeObject): Promise<string | undefined> {
    const newest = await newestWarning(object, () => true);
    return newest === undefined ? undefined : `${newest.reason}: ${newest.message}`;
  }

  async function newestWarning(
    { metadata }: KubeObject,
    isWanted: (event: WarningEvent) => boolean,
  ): Promise<WarningEvent | undefined> {
    const fieldSelector = `involvedObject.uid=${metadata.uid},type=Warning`;
    // Those of objects without a namespace are in this one.
    const namespace = metadata.namespace ?? 'default';
    const events = await listAll<WarningEvent>(EVENTS, { namespace, fieldSelector });
    return events
      .filter(isWanted)
      .reduce<WarningEvent | undefined>(
        (last, event) => (last === undefined || timeOf(event) >= timeOf(last) ? event : last),
        undefined,
      );
  }

  /** Older kubelets report while they back off only that they do; the reason is in an event. */
  async function withCause(pod: LiveObject, image: ImageTrouble): Promise<ImageTrouble> {
    const isOld = options.since !== undefined && createdAt(pod) < options.since;
    if (image.cause !== '') return { ...image, isOld };
    const event = await newestWarning(pod, ({ message = '' }) => message.startsWith('Failed to pull image'));
    return { ...image, isOld, cause: pullCause(event?.message ?? '') || 'the kubelet does not say why' };
  }

  async function ofPods(pods: readonly LiveObject[]): Promise<Trouble | undefined> {
    const troubles = pods.flatMap((pod) => {
      const trouble = pod.metadata.deletionTimestamp === undefined ? podTrouble(pod) : undefined;
      return trouble === undefined ? [] : [{ pod, trouble }];
    });
    // What is wrong with an image is wrong with all pods of it, and its remedy is known.
    const ofImages = troubles.filter(({ trouble }) => trouble.image !== undefined);
    const [first] = [...ofImages, ...troubles.filter(({ trouble }) => !trouble.isVague)];
    const { pod, trouble } = first ?? troubles[0] ?? {};
    if (pod === undefined || trouble === undefined) return undefined;
    const others = troubles.filter((one) => one.trouble.kind === trouble.kind).length - 1;
    const warning = trouble.isVague ? await lastWarning(pod) : undefined;
    // Whatever has not started yet, and was warned of nothing, may just take its time.
    if (trouble.isVague && warning === undefined) return undefined;
    const image = trouble.image && (await withCause(pod, trouble.image));
    return { why: `${textOf(trouble, warning)}${andOthers(others)}`, next: trouble.next, image };
  }

  return async (target, live) => {
    const describe = describeText(target.type.plural, target.object.name, target.namespace);
    const refused = live.status?.conditions?.find((condition) => condition?.type === 'ReplicaFailure');
    if (refused?.status === 'True')
      return { why: refused.message ?? refused.reason ?? 'its pods are refused', next: describe };
    const labelSelector = selectorOf(live);
    const pods =
      live.kind === 'Pod'
        ? [live]
        : labelSelector === undefined
          ? []
          : await listAll<LiveObject>(PODS, { namespace: live.metadata.namespace, labelSelector });
    // The youngest first: older ones may be those of the revision before.
    const trouble = await ofPods([...pods].sort((a, b) => compare(createdAt(b), createdAt(a))));
    if (trouble !== undefined) return trouble;
    const warning = await lastWarning(live);
    return warning === undefined ? undefined : { why: warning, next: describe };
  };
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
  const text = [labelsText(matchLabels), ...expressions].filter((part) => part !== '').join(',');
  return text === '' ? undefined : text;
}

const labelsText = (labels: object) =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(',');

function textOf({ why }: PodTrouble, warning: string | undefined): string {
  return warning === undefined ? why : `${why}: ${warning}`;
}

function andOthers(count: number): string {
  return count === 0 ? '' : `, and ${count} other pod${count === 1 ? '' : 's'}`;
}

const timeOf = ({ lastTimestamp, eventTime, metadata }: WarningEvent) =>
  Date.parse(lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '') || 0;
const createdAt = ({ metadata }: KubeObject) => metadata.creationTimestamp ?? '';
const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
