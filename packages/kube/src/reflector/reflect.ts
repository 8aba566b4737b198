import type { CollectionQuery, KubeObject, ListOptions, ReflectorEvent, ResourceType } from '../client.ts';
import { isKubeError, type KubeError } from '../errors.ts';
import { listConsistently } from '../rest/list.ts';
import { getObject } from '../rest/object.ts';
import type { Wire } from '../transport/wire.ts';
import type { ReflectorContext, Snapshot } from './context.ts';
import { keepWatching } from './keep-watching.ts';
import { poll } from './poll.ts';

/** What is kept up to date; with a name, that object alone. */
export type ReflectorQuery = CollectionQuery & { readonly name?: string | undefined };

/**
 * A collection (or one object of it, by name) kept up to date: a snapshot, then what changes, with a new snapshot
 * after each relist, which replaces everything said before (so that no deletion is lost). Ends when the signal is
 * aborted, and only then once there was a snapshot: all later failures are `retrying` and healed by asking again.
 *
 * Until the first snapshot a failure that the client's own repetitions did not heal is thrown: nothing can be shown
 * yet, and the person should read why. Without the right to watch it polls; without the right to list, a named object
 * is polled by get (an object that is absent gives an empty snapshot).
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
  // The objects of a big cluster are not kept for the life of the watch.
  first = { items: [], resourceVersion };
  yield* keepWatching<T>(context, resourceVersion);
}

/** One object by its name and place; with other selectors a plain get would ignore them. */
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
