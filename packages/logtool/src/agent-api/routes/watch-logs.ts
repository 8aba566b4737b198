import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { Refusal } from '../review/access-reviews.ts';
import { compareContainerLogs } from '../runs/container-log.ts';
import type { Change, RunList } from '../runs/run-list.ts';
import { badVersion, expired } from '../status/list-status.ts';
import type { Status } from '../status/status.ts';
import { bookmarkDocument, type ListQuery, objectDocument } from './list-query.ts';

export interface WatchOptions {
  readonly list: RunList;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Resolves with why the caller may not watch any more. */
  readonly refused: Promise<Refusal>;
}

const BOOKMARK_MS = 60_000;
/** Core ends a watch after 30 to 60 minutes. */
const LIMIT_MS = 1_800_000;

type Next = 'changed' | 'bookmark' | 'over' | 'refused';

/** Returns from which time on a watch sends changes; with `all`, what there is comes first. */
function startOf(
  list: RunList,
  { resourceVersion, initialEvents }: ListQuery,
): { readonly fromMs: number; readonly all: boolean } | { readonly status: Status } {
  if (initialEvents || resourceVersion === '' || resourceVersion === '0')
    return { fromMs: list.changedMs, all: true };
  const fromMs = list.sinceVersion(resourceVersion);
  if (fromMs === 'invalid') return { status: badVersion(resourceVersion) };
  if (fromMs === undefined) return { status: expired(resourceVersion, list.version) };
  return { fromMs, all: false };
}

/**
 * Returns the events of a watch as lines, until its time is over, its caller may not read any more, or the signal aborts.
 * A reader that is too slow for the changes that are kept gets an error, and lists again.
 * https://kubernetes.io/docs/reference/using-api/api-concepts/#efficient-detection-of-changes
 */
export async function* watchLogs(
  query: ListQuery,
  options: WatchOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { list, clock } = options;
  const start = startOf(list, query);
  if ('status' in start) {
    yield line('ERROR', start.status);
    return;
  }
  const events = new Events(query, clock);
  if (start.all) {
    const logs = [...list.all()].sort(compareContainerLogs);
    for (const object of logs) yield* events.of({ type: 'ADDED', object });
    if (query.initialEvents && query.bookmarks) yield events.bookmark(list.version, true);
  }
  yield* changesFrom(start.fromMs, { events, query, options });
}

interface Watch {
  readonly events: Events;
  readonly query: ListQuery;
  readonly options: WatchOptions;
}

/** Yields what changes after a time. */
async function* changesFrom(
  fromMs: number,
  { events, query, options }: Watch,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { list, clock } = options;
  const end = watchEnd(options);
  const untilMs =
    clock.steady() + (query.timeoutSeconds === undefined ? LIMIT_MS : query.timeoutSeconds * 1000);
  let sentMs = fromMs;
  for (;;) {
    const changes = list.changesAfter(sentMs);
    if (changes === undefined) {
      yield line('ERROR', expired(query.resourceVersion, list.version));
      return;
    }
    sentMs = changes.at(-1)?.atMs ?? sentMs;
    for (const change of changes) yield* events.of(change);
    const next = await nextOf(options, end, { fromMs: sentMs, untilMs });
    if (next === 'refused') yield line('ERROR', end.refusal?.status);
    else if (next !== 'changed' && query.bookmarks) yield events.bookmark(list.version, false);
    if (next === 'over' || next === 'refused') return;
  }
}

/** Why a watch must end before its time; `wake` is called then. */
interface End {
  refusal: Refusal | undefined;
  wake: () => void;
}

function watchEnd({ refused }: WatchOptions): End {
  const end: End = { refusal: undefined, wake: () => undefined };
  refused.then(
    (refusal) => {
      end.refusal = refusal;
      end.wake();
    },
    // The answer is over.
    () => undefined,
  );
  return end;
}

/** Waits for the next change, the next bookmark or the end. Rejects with the signal's reason. */
async function nextOf(
  { list, clock, signal }: WatchOptions,
  end: End,
  { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
): Promise<Next> {
  signal.throwIfAborted();
  const leftMs = Math.max(0, untilMs - clock.steady());
  const timed = leftMs <= BOOKMARK_MS ? 'over' : 'bookmark';
  const next = await new Promise<Next>((resolve) => {
    const settle = (result: Next) => {
      signal.removeEventListener('abort', leave);
      forget();
      cancel();
      resolve(result);
    };
    const leave = () => settle('over');
    const forget = list.onceChanged(() => settle('changed'));
    const cancel = clock.after(Math.min(leftMs, BOOKMARK_MS), () => settle(timed));
    signal.addEventListener('abort', leave, { once: true });
    end.wake = () => settle('changed');
    if (leftMs === 0) settle('over');
    else if (list.changedMs > fromMs || end.refusal !== undefined) settle('changed');
  });
  signal.throwIfAborted();
  return end.refusal === undefined ? next : 'refused';
}

/** The events of one watch, in the form that it asked for. */
class Events {
  readonly #query: ListQuery;
  readonly #clock: Clock;
  #hasColumns = true;

  constructor(query: ListQuery, clock: Clock) {
    this.#query = query;
    this.#clock = clock;
  }

  *of({ type, object }: Pick<Change, 'type' | 'object'>): Generator<Uint8Array> {
    const { selects, form } = this.#query;
    if (!selects(object)) return;
    const shown = objectDocument(object, form, { nowMs: this.#clock.now(), hasColumns: this.#hasColumns });
    this.#hasColumns = false;
    yield line(type, shown);
  }

  bookmark(version: string, isInitialEnd: boolean): Uint8Array {
    return line('BOOKMARK', bookmarkDocument(version, this.#query.form, isInitialEnd));
  }
}

function line(type: Change['type'] | 'BOOKMARK' | 'ERROR', object: unknown): Uint8Array {
  return Buffer.from(`${JSON.stringify({ type, object })}\n`);
}
