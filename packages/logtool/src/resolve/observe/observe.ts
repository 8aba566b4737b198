import { PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeClient, KubeObject, ReflectorEvent, ResourceType } from '@logtool/kube/src/client.ts';
import { isAbsentObject } from '@logtool/kube/src/errors.ts';
import { slimPod, slimPodWithHistory } from '../pods/slim-pod.ts';
import { isType } from '../track/roots.ts';

/** The watched collection, or one object in it. */
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
 * Reads once or forever. With `follow`, uses the client's reflector. Otherwise makes a single snapshot with the
 * cheapest request (a get for a named object, with an empty snapshot if it is absent, and a list for everything else).
 * Throws the client's errors.
 */
export async function* observe(
  client: KubeClient,
  observation: Observation,
  options: ObserveOptions,
): AsyncGenerator<ReflectorEvent<KubeObject>> {
  const { type, ...query } = observation;
  const { signal } = options;
  const reading = { signal, keep: keepOf(type, options) };
  if (options.follow) yield* client.reflect<KubeObject>(type, query, reading);
  else yield { type: 'snapshot', objects: await readOnce(client, observation, reading) };
}

interface ObserveOptions {
  readonly follow: boolean;
  readonly signal: AbortSignal;
  /** Also keep the pod fields that its history is read from. */
  readonly withHistory?: boolean;
}

function keepOf(type: ResourceType, { withHistory }: ObserveOptions): Reading['keep'] {
  if (!isType(type, PODS)) return undefined;
  return withHistory === true ? slimPodWithHistory : slimPod;
}

interface Reading {
  readonly signal: AbortSignal;
  readonly keep: ((object: KubeObject) => KubeObject) | undefined;
}

async function readOnce(
  client: KubeClient,
  observation: Observation,
  reading: Reading,
): Promise<readonly KubeObject[]> {
  const { type, name, namespace, fieldSelector } = observation;
  // A get would ignore the field selector.
  const isOne =
    name !== undefined && fieldSelector === undefined && (namespace !== undefined || !type.namespaced);
  return isOne ? getOne(client, observation, name, reading.signal) : listAll(client, observation, reading);
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
  reading: Reading,
): Promise<readonly KubeObject[]> {
  const byName = name === undefined ? undefined : `metadata.name=${name}`;
  const fieldSelector =
    [query.fieldSelector, byName].filter((each) => each !== undefined).join(',') || undefined;
  const collection = { namespace, labelSelector, metadataOnly, fieldSelector };
  const objects: KubeObject[] = [];
  for await (const page of client.list<KubeObject>(type, collection, reading)) {
    for (const object of page.items) objects.push(object);
  }
  return objects;
}
