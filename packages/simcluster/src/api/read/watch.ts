import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { ApiError } from '../api-error.ts';
import type { Store, StoredObject, StoreEvent } from '../store.ts';
import { invalidVersion, type ListOptions, selects } from './list-options.ts';
import type { OutputFormat } from './negotiate.ts';
import { goJson, statusObject } from './reply.ts';
import type { ApiResource } from './resources.ts';
import type { IncludeObject } from './table/table.ts';
import { tableOf } from './table/table.ts';
import { metadataOnly, shown } from './view.ts';

const BOOKMARK_EVERY_MS = 60_000;
const BOOKMARK_BEFORE_END_MS = 2000;
/** A watcher that is this many events behind is cut off, as a real server does. */
const MOST_WAITING = 20_000;
/** Watches without timeoutSeconds end after this (a real server: 30 to 60 minutes). */
const LONGEST_MS = 45 * 60_000;

export interface WatchContext {
  readonly store: Store;
  readonly clock: Clock;
  /** Watches may not go back behind this resourceVersion: what was before the server's start is not in its cache. */
  readonly floor: number;
  readonly signal: AbortSignal;
  /** Aborted with the reason 'expire' by a fault: the watch says 410 and ends. */
  readonly expire: AbortSignal;
}

type Item =
  | { readonly kind: 'event'; readonly type: string; readonly object: StoredObject }
  | { readonly kind: 'bookmark'; readonly resourceVersion: number; readonly initialEnd: boolean }
  | { readonly kind: 'expired'; readonly message: string };

/**
 * The lines of a watch. Throws only before the first line.
 * @throws ApiError 500 for a resourceVersion that is no number
 */
export function watchLines(
  context: WatchContext,
  type: ApiResource,
  namespace: string | undefined,
  options: ListOptions,
  format: OutputFormat,
  include: IncludeObject,
): AsyncIterable<string> {
  const wanted = options.resourceVersion;
  if (wanted !== '' && !/^\d+$/.test(wanted)) throw new ApiError(500, undefined, invalidVersion(wanted));
  const items = watchItems(context, type, namespace, options);
  return lines(items, type, format, include, context.clock);
}

async function* lines(
  items: AsyncIterable<Item>,
  type: ApiResource,
  format: OutputFormat,
  include: IncludeObject,
  clock: Clock,
): AsyncIterable<string> {
  let first = true;
  for await (const item of items) {
    if (item.kind === 'expired') {
      const object = statusObject(new ApiError(410, 'Expired', item.message));
      yield `${goJson({ type: 'ERROR', object }, false)}\n`;
      return;
    }
    const object =
      item.kind === 'event' ? item.object : bookmark(type, item.resourceVersion, item.initialEnd);
    const body = view(type, object, format, include, clock, first);
    first = false;
    yield `${goJson({ type: item.kind === 'event' ? item.type : 'BOOKMARK', object: body }, false)}\n`;
  }
}

function view(
  type: ApiResource,
  object: StoredObject,
  format: OutputFormat,
  include: IncludeObject,
  clock: Clock,
  first: boolean,
): unknown {
  if (format.as === 'Table') {
    const table = tableOf(
      type,
      [object],
      { resourceVersion: object.metadata.resourceVersion },
      include,
      clock.now(),
    );
    return first ? table : { ...table, columnDefinitions: null };
  }
  return format.as === undefined ? shown(type, object) : metadataOnly(object);
}

/** An empty object that carries the resourceVersion alone. */
function bookmark(type: ApiResource, resourceVersion: number, initialEnd: boolean): StoredObject {
  const metadata = {
    resourceVersion: String(resourceVersion),
    ...(initialEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {}),
  } as unknown as StoredObject['metadata'];
  const rest = type.kind === 'Pod' ? { spec: { containers: null }, status: {} } : {};
  return { kind: type.kind, apiVersion: '', metadata, ...rest };
}

async function* watchItems(
  context: WatchContext,
  type: ApiResource,
  namespace: string | undefined,
  options: ListOptions,
): AsyncIterable<Item> {
  const { store, clock, signal } = context;
  const waiting: Item[] = [];
  let wake: () => void = () => undefined;
  let ended = false;
  const push = (item: Item) => {
    waiting.push(item);
    if (waiting.length > MOST_WAITING) ended = true;
    wake();
  };
  const end = () => {
    ended = true;
    wake();
  };
  const concerns = (object: StoredObject) =>
    namespace === undefined || object.metadata.namespace === namespace;
  const from = startOf(context, type, options);
  if (typeof from === 'string') {
    yield { kind: 'expired', message: from };
    return;
  }
  if (from.initial) {
    for (const object of store.list(type.storedAs, namespace)) {
      if (selects(options, object)) waiting.push({ kind: 'event', type: 'ADDED', object });
    }
    if (options.sendInitialEvents === true && options.allowWatchBookmarks) {
      waiting.push({ kind: 'bookmark', resourceVersion: store.resourceVersion, initialEnd: true });
    }
  }
  const deliver = (event: StoreEvent) => {
    if (event.resourceVersion <= from.resourceVersion || !concerns(event.object)) return;
    const item = selected(event, options);
    if (item !== undefined) push(item);
  };
  for (const event of from.missed) deliver(event);

  const limitMs = options.timeoutSeconds > 0 ? options.timeoutSeconds * 1000 : LONGEST_MS;
  const timers = new Set([clock.after(limitMs, end)]);
  // As a real server's cache: nothing is said that is not newer than where the watch began.
  const remind = () => {
    const { resourceVersion } = store;
    if (resourceVersion > from.resourceVersion)
      push({ kind: 'bookmark', resourceVersion, initialEnd: false });
  };
  if (options.allowWatchBookmarks) {
    if (limitMs > BOOKMARK_BEFORE_END_MS) timers.add(clock.after(limitMs - BOOKMARK_BEFORE_END_MS, remind));
    const regularly = () => {
      remind();
      timers.add(clock.after(BOOKMARK_EVERY_MS, regularly));
    };
    timers.add(clock.after(BOOKMARK_EVERY_MS, regularly));
  }
  const expire = () =>
    push({
      kind: 'expired',
      message: `too old resource version: ${from.resourceVersion} (${store.resourceVersion})`,
    });
  const unsubscribe = store.subscribe(type.storedAs, deliver);
  signal.addEventListener('abort', end, { once: true });
  context.expire.addEventListener('abort', expire, { once: true });
  if (signal.aborted) end();
  if (context.expire.aborted) expire();
  try {
    for (;;) {
      const item = waiting.shift();
      if (item !== undefined) {
        yield item;
        continue;
      }
      if (ended) return;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    unsubscribe();
    for (const cancel of timers) cancel();
    signal.removeEventListener('abort', end);
    context.expire.removeEventListener('abort', expire);
  }
}

interface Start {
  readonly initial: boolean;
  /** Events at or before it are not delivered. */
  readonly resourceVersion: number;
  readonly missed: readonly StoreEvent[];
}

/** Where a watch begins; a text when that is too far back. */
function startOf({ store, floor }: WatchContext, type: ApiResource, options: ListOptions): Start | string {
  const wanted = options.resourceVersion;
  const initial =
    options.sendInitialEvents === true ||
    (options.sendInitialEvents === undefined && (wanted === '' || wanted === '0'));
  if (initial || wanted === '' || wanted === '0') {
    return { initial, resourceVersion: store.resourceVersion, missed: [] };
  }
  const resourceVersion = Number(wanted);
  const missed = resourceVersion < floor ? undefined : store.since(type.storedAs, resourceVersion);
  if (missed === undefined)
    return `too old resource version: ${wanted} (${Math.max(floor, store.resourceVersion)})`;
  return { initial, resourceVersion, missed };
}

/** What a change means to a watch with selectors: an object that stops matching is DELETED for it. */
function selected(event: StoreEvent, options: ListOptions): Item | undefined {
  const matchedBefore = event.before !== undefined && selects(options, event.before);
  if (event.type === 'DELETED') {
    return matchedBefore ? { kind: 'event', type: 'DELETED', object: event.object } : undefined;
  }
  const matches = selects(options, event.object);
  if (matches) return { kind: 'event', type: matchedBefore ? 'MODIFIED' : 'ADDED', object: event.object };
  if (!matchedBefore || event.before === undefined) return undefined;
  const { metadata } = event.before;
  const resourceVersion = event.object.metadata.resourceVersion;
  return {
    kind: 'event',
    type: 'DELETED',
    object: { ...event.before, metadata: { ...metadata, resourceVersion } },
  };
}
