import type { CollectionQuery, KubeObject, ListOptions, ReflectorEvent, ResourceType } from '../client.ts';
import { isKubeError, type KubeError } from '../errors.ts';
import { listConsistently } from '../rest/list.ts';
import { getObject } from '../rest/object.ts';
import type { Wire } from '../transport/wire.ts';
import type { ReflectorContext, Snapshot } from './context.ts';
import { keepWatching } from './keep-watching.ts';
import { poll } from './poll.ts';

/** The collection to keep up to date; with a name, only that object. */
export type ReflectorQuery = CollectionQuery & { readonly name?: string | undefined };

/**
 * Keeps a collection (or one object of it, by name) up to date: yields a snapshot, then changes. Each relist yields a
 * new snapshot, which replaces all earlier events (so that no deletion is lost). After the first snapshot, it ends only
 * when the signal aborts: every later failure is a `retrying` event, and a retry repairs it.
 * Before the first snapshot, it throws a failure that the client's own retries did not repair: there is nothing to show
 * yet, and the user should read why. Without permission to watch, it polls; without permission to list, it polls a
 * named object by get (an absent object gives an empty snapshot).
 */
export async function* reflect<T extends KubeObject>(
  wire: Wire,
  type: ResourceType,
  query: ReflectorQuery,
  options: ListOptions = {},
): AsyncGenerator<ReflectorEvent<T>, void> {
  const { name, ...collection } = query;
  const byName = name === undefined ? undefined : `metadata.name=${name}`;
  const selectors = [collection.fieldSelector, byName].filter((selector) => selector !== undefined);
  const fieldSelector = selectors.length === 0 ? undefined : selectors.join(',');
  const context: ReflectorContext = {
    wire,
    type,
    query: { ...collection, fieldSelector },
    name,
    signal: options.signal,
    keep: options.keep,
  };
  try {
    yield* run<T>(context);
  } catch (error) {
    if (options.signal?.aborted) return;
    throw error;
  }
}

async function* run<T extends KubeObject>(
  context: ReflectorContext,
): AsyncGenerator<ReflectorEvent<T>, void> {
  const { wire, type, query, signal, keep } = context;
  const list = () => listConsistently<T>(wire, type, query, { signal, keep });
  let first: Snapshot<T>;
  try {
    first = await list();
  } catch (error) {
    if (!isKubeError(error, 'forbidden') || !canGet(context)) throw error;
    yield* pollByGet<T>(context, error);
    return;
  }
  yield { type: 'snapshot', objects: first.items };
  if (type.verbs.length > 0 && !type.verbs.includes('watch')) {
    yield* poll<T>(context, first.items, list, undefined);
    return;
  }
  const { resourceVersion } = first;
  // Releases the objects of a big cluster, rather than keep them as long as the watch.
  first = { items: [], resourceVersion };
  yield* keepWatching<T>(context, resourceVersion);
}

/** Whether a plain get can read the one object by name and namespace; a get would ignore other selectors. */
function canGet({ type, query, name }: ReflectorContext): boolean {
  if (name === undefined || query.labelSelector !== undefined) return false;
  if (query.fieldSelector !== `metadata.name=${name}`) return false;
  return !type.namespaced || query.namespace !== undefined;
}

async function* pollByGet<T extends KubeObject>(
  context: ReflectorContext,
  refusal: KubeError,
): AsyncGenerator<ReflectorEvent<T>, void> {
  const { wire, type, query, name = '', signal } = context;
  const read = async (): Promise<Snapshot<T>> => {
    const ref = { namespace: query.namespace, name };
    try {
      const object = await getObject<T>(wire, type, ref, { signal, metadataOnly: query.metadataOnly });
      return { items: [object], resourceVersion: '' };
    } catch (error) {
      if (isKubeError(error, 'not-found')) return { items: [], resourceVersion: '' };
      throw error;
    }
  };
  const first = await read();
  yield { type: 'snapshot', objects: first.items };
  yield* poll<T>(context, first.items, read, refusal);
}
