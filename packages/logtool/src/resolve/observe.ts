import { PODS } from '@logtool/kube/src/builtin-resources.ts';
import type { KubeClient, KubeObject, ReflectorEvent, ResourceType } from '@logtool/kube/src/client.ts';
import { isAbsentObject } from '@logtool/kube/src/errors.ts';
import { isType } from './roots.ts';
import { slimPod } from './slim-pod.ts';

/** What is looked at: a collection, or one object of it. */
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
 * Once, or for ever: with `follow` the client's reflector, else a single snapshot by the cheapest request (get for a
 * named object, which is an empty snapshot when it is absent; else a list). Throws the client's errors.
 */
export async function* observe(
  client: KubeClient,
  observation: Observation,
  options: { readonly follow: boolean; readonly signal: AbortSignal },
): AsyncGenerator<ReflectorEvent<KubeObject>> {
  const { type, ...query } = observation;
  const { signal } = options;
  const keep = isType(type, PODS) ? slimPod : undefined;
  if (options.follow) {
    yield* client.reflect<KubeObject>(type, query, { signal, keep });
    return;
  }
  const objects: KubeObject[] = [];
  const { name, namespace, metadataOnly } = query;
  // A get would pass the field selector over.
  if (
    name !== undefined &&
    query.fieldSelector === undefined &&
    (namespace !== undefined || !type.namespaced)
  ) {
    const ref = { namespace, name };
    try {
      objects.push(
        await (metadataOnly ? client.getMetadata(type, ref, { signal }) : client.get(type, ref, { signal })),
      );
    } catch (error) {
      if (!isAbsentObject(error)) throw error;
    }
  } else {
    const byName = name === undefined ? undefined : `metadata.name=${name}`;
    const fieldSelector =
      [query.fieldSelector, byName].filter((each) => each !== undefined).join(',') || undefined;
    const collection = { namespace, labelSelector: query.labelSelector, metadataOnly, fieldSelector };
    for await (const page of client.list<KubeObject>(type, collection, { signal, keep })) {
      for (const object of page.items) objects.push(object);
    }
  }
  yield { type: 'snapshot', objects };
}
