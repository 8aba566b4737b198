import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { ApiError } from '../../api-error.ts';
import type { Store, StoredObject, StoreEvent } from '../../store/store.ts';
import type { ApiResource } from '../discovery/resources.ts';
import type { OutputFormat } from '../http/negotiate.ts';
import { goJson, statusObject } from '../http/reply.ts';
import type { IncludeObject } from '../table/table.ts';
import { tableOf } from '../table/table.ts';
import { invalidVersion, type ListOptions, selects } from './list-options.ts';
import { metadataOnly, shown } from './view.ts';

const BOOKMARK_EVERY_MS = 60_000;
const BOOKMARK_BEFORE_END_MS = 2000;
/** A real server also cuts off a watcher with this many unread events. */
const MAX_WAITING = 20_000;
/** Watches without timeoutSeconds end after this time (on a real server: 30 to 60 minutes). */
const MAX_WATCH_MS = 45 * 60_000;

export interface WatchContext {
  readonly store: Store;
  readonly clock: Clock;
  /** Watches cannot start before this resourceVersion, because the server's cache begins when the server starts. */
  readonly floor: number;
  readonly signal: AbortSignal;
  /** Aborts on a fault: the watch then sends a 410 and ends. */
  readonly expire: AbortSignal;
}

type Item =
  | { readonly kind: 'event'; readonly type: string; readonly object: StoredObject }
  | { readonly kind: 'bookmark'; readonly resourceVersion: number; readonly initialEnd: boolean }
  | { readonly kind: 'expired'; readonly message: string };

/**
 * Yields the lines of a watch. Throws only before the first line.
 * @throws ApiError 500 if the resourceVersion is not a number
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

/** Makes a bookmark: an empty object with only the resourceVersion. */
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
  const { store, signal } = context;
  const from = startOf(context, type, options);
  if (typeof from === 'string') {
    yield { kind: 'expired', message: from };
    return;
  }
  const queue = new ItemQueue(from.initial ? initialItems(store, type, namespace, options) : []);
  const deliver = (event: StoreEvent) => {
    const isElsewhere = namespace !== undefined && event.object.metadata.namespace !== namespace;
    if (event.resourceVersion <= from.resourceVersion || isElsewhere) return;
    const item = selected(event, options);
    if (item !== undefined) queue.push(item);
  };
  for (const event of from.missed) deliver(event);
  const cancelTimers = startTimers(context, options, from, queue);
  const end = () => queue.end();
  const expire = () =>
    queue.push({
      kind: 'expired',
      message: `too old resource version: ${from.resourceVersion} (${store.resourceVersion})`,
    });
  const unsubscribe = store.subscribe(type.storedAs, deliver);
  signal.addEventListener('abort', end, { once: true });
  context.expire.addEventListener('abort', expire, { once: true });
  if (signal.aborted) end();
  if (context.expire.aborted) expire();
  try {
    yield* queue.items();
  } finally {
    unsubscribe();
    cancelTimers();
    signal.removeEventListener('abort', end);
    context.expire.removeEventListener('abort', expire);
  }
}

/** The unread events of a watch. */
class ItemQueue {
  readonly #waiting: Item[];
  #wake: () => void = () => undefined;
  #ended = false;

  constructor(first: Iterable<Item>) {
    this.#waiting = [...first];
  }

  /** Adds an item; cuts off a reader that lags too far behind. */
  push(item: Item): void {
    this.#waiting.push(item);
    if (this.#waiting.length > MAX_WAITING) this.#ended = true;
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  async *items(): AsyncIterable<Item> {
    for (;;) {
      const item = this.#waiting.shift();
      if (item !== undefined) yield item;
      else if (this.#ended) return;
      else await this.#change();
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

function* initialItems(
  store: Store,
  type: ApiResource,
  namespace: string | undefined,
  options: ListOptions,
): Iterable<Item> {
  for (const object of store.list(type.storedAs, namespace)) {
    if (selects(options, object)) yield { kind: 'event', type: 'ADDED', object };
  }
  if (options.sendInitialEvents === true && options.allowWatchBookmarks) {
    yield { kind: 'bookmark', resourceVersion: store.resourceVersion, initialEnd: true };
  }
}

/** Starts the timers for bookmarks and the end of the watch; returns a function that cancels them. */
function startTimers(
  { store, clock }: WatchContext,
  options: ListOptions,
  from: Start,
  queue: ItemQueue,
): () => void {
  const limitMs = options.timeoutSeconds > 0 ? options.timeoutSeconds * 1000 : MAX_WATCH_MS;
  const timers = new Set([clock.after(limitMs, () => queue.end())]);
  // Like a real server's cache, sends a bookmark only if it is newer than the start of the watch.
  const remind = () => {
    const { resourceVersion } = store;
    if (resourceVersion > from.resourceVersion)
      queue.push({ kind: 'bookmark', resourceVersion, initialEnd: false });
  };
  if (options.allowWatchBookmarks) {
    if (limitMs > BOOKMARK_BEFORE_END_MS) timers.add(clock.after(limitMs - BOOKMARK_BEFORE_END_MS, remind));
    const regularly = () => {
      remind();
      timers.add(clock.after(BOOKMARK_EVERY_MS, regularly));
    };
    timers.add(clock.after(BOOKMARK_EVERY_MS, regularly));
  }
  return () => {
    for (const cancel of timers) cancel();
  };
}

interface Start {
  readonly initial: boolean;
  /** Events up to this version, inclusive, are not delivered. */
  readonly resourceVersion: number;
  readonly missed: readonly StoreEvent[];
}

/** Returns where a watch starts, or an error text if that is too far back. */
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

/** Returns the event that a change causes in a watch with selectors: an object that no longer matches is DELETED. */
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
