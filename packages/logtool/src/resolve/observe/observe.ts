import { PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeClient, KubeObject, ReflectorEvent, ResourceType } from '@logtool/kube/src/client.ts';
import { isAbsentObject } from '@logtool/kube/src/errors.ts';
import { slimPod } from '../pods/slim-pod.ts';
import { isType } from '../track/roots.ts';

/** The watched collection, or one object of it. */
export interface Observation {
  readonly type: ResourceType;
  /** Undefined: all namespaces (or a kind that has none). */
  readonly namespace: string | undefined;
  readonly name?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly metadataOnly?: boolean | undefined;
}

/**
 * Once, or forever: with `follow` the client's reflector, else a single snapshot by the cheapest request (get
 * for a named object, an empty snapshot if it is absent; else a list). Throws the client's errors.
 */
export async function* observe(
  client: KubeClient,
  observation: Observation,
  options: { readonly follow: boolean; readonly signal: AbortSignal },
): AsyncGenerator<ReflectorEvent<KubeObject>> {
  const { type, ...query } = observation;
  const { signal } = options;
  const keep = isType(type, PODS) ? slimPod : undefined;
  if (options.follow) yield* client.reflect<KubeObject>(type, query, { signal, keep });
  else yield { type: 'snapshot', objects: await readOnce(client, observation, signal) };
}

async function readOnce(
  client: KubeClient,
  observation: Observation,
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const { type, name, namespace, fieldSelector } = observation;
  // A get would pass the field selector over.
  const isOne =
    name !== undefined && fieldSelector === undefined && (namespace !== undefined || !type.namespaced);
  return isOne ? getOne(client, observation, name, signal) : listAll(client, observation, signal);
}

async function getOne(
  client: KubeClient,
  { type, namespace, metadataOnly }: Observation,
  name: string,
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const ref = { namespace, name };
  try {
    return [
      await (metadataOnly ? client.getMetadata(type, ref, { signal }) : client.get(type, ref, { signal })),
    ];
  } catch (error) {
    if (!isAbsentObject(error)) throw error;
    return [];
  }
}

async function listAll(
  client: KubeClient,
  { type, name, namespace, labelSelector, metadataOnly, ...query }: Observation,
  signal: AbortSignal,
): Promise<readonly KubeObject[]> {
  const keep = isType(type, PODS) ? slimPod : undefined;
  const byName = name === undefined ? undefined : `metadata.name=${name}`;
  const fieldSelector =
    [query.fieldSelector, byName].filter((each) => each !== undefined).join(',') || undefined;
  const collection = { namespace, labelSelector, metadataOnly, fieldSelector };
  const objects: KubeObject[] = [];
  for await (const page of client.list<KubeObject>(type, collection, { signal, keep })) {
    for (const object of page.items) objects.push(object);
  }
  return objects;
}
