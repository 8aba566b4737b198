import { Backoff } from '@logtool/kube/src/values/retry.ts';
import { type ApiClient, ApiError } from '../../../contract/client.ts';
import { RECONNECT_WAITS } from '../../api/reconnect-waits.ts';
import { onceHiddenFor, untilSeen, type Visibility } from '../../frame/page-visibility.ts';
import { loadMessages } from '../../messages/message-of.ts';
import { pageError } from '../../messages/page.ts';
import { applyFrames, EMPTY_LIST, type WorkloadList } from './workload-store.ts';

/** After three missing heartbeats the connection is dead, even if the browser reports it open. */
const SILENCE_MS = 45_000;

/**
 * A hidden tab releases its connection after this time: browsers allow six to a server, and tabs with logs
 * need them.
 */
const HIDDEN_MS = 30_000;

interface FeedOptions {
  readonly api: ApiClient;
  readonly context: string;
  /** Empty: all. */
  readonly namespaces: readonly string[];
  readonly visibility: Visibility;
  /**
   * Counts a stream among those of all tabs until the returned function is called; calls `onLeave` when the
   * stream must close.
   */
  readonly hold?: (onLeave: () => void) => () => void;
  /** A stream opened after one was lost: the server may have changed. */
  onReconnected(): void;
}

/** The workloads of one context, kept up to date while there are subscribers. */
export class WorkloadFeed {
  #list: WorkloadList = EMPTY_LIST;
  #listeners = new Set<() => void>();
  #running: AbortController | undefined;
  /** Ends the current stream or wait. */
  #attempt: AbortController | undefined;
  readonly #backoff = new Backoff(RECONNECT_WAITS);
  readonly #options: FeedOptions;

  constructor(options: FeedOptions) {
    this.#options = options;
  }

  list = (): WorkloadList => this.#list;

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    if (this.#running === undefined) {
      this.#running = new AbortController();
      void this.#run(this.#running.signal);
    }
    return () => {
      this.#listeners.delete(listener);
      // React unsubscribes and resubscribes immediately in development, and on page changes: wait for the
      // turn to end.
      setTimeout(() => {
        if (this.#listeners.size > 0) return;
        this.#running?.abort();
        this.#running = undefined;
      });
    };
  };

  /** Retries now: ends the current stream or wait. */
  retry = (): void => {
    this.#backoff.reset();
    if (!this.#list.isComplete) this.#set({ ...this.#list, feed: { state: 'loading' } });
    this.#attempt?.abort();
  };

  async #run(signal: AbortSignal): Promise<void> {
    let wasLost = false;
    while (!signal.aborted) {
      await untilSeen(this.#options.visibility, signal);
      if (signal.aborted) return;
      this.#attempt = new AbortController();
      const attempt = AbortSignal.any([signal, this.#attempt.signal]);
      const error = await this.#readOnce(attempt, () => {
        this.#backoff.reset();
        if (wasLost) this.#options.onReconnected();
        wasLost = false;
      });
      if (signal.aborted) return;
      if (attempt.aborted) continue;
      wasLost = true;
      if (error !== undefined && isFinal(error)) {
        this.#set({ ...this.#list, feed: { state: 'failed', error: error.error }, liveSinceMs: undefined });
        await pause(undefined, attempt);
        continue;
      }
      const waitMs = this.#backoff.nextMs();
      this.#set({
        ...this.#list,
        feed: {
          state: 'retrying',
          who: 'server',
          error: error?.error ?? CLOSED,
          retryAtMs: Date.now() + waitMs,
        },
        liveSinceMs: undefined,
      });
      await pause(waitMs, attempt);
    }
  }

  /**
   * Reads one stream to its end. Returns the error that ended it; undefined if it ended cleanly or was
   * aborted here.
   */
  async #readOnce(signal: AbortSignal, onFirst: () => void): Promise<ApiError | undefined> {
    const silence = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const listen = () => {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), SILENCE_MS);
    };
    listen();
    let isFirst = true;
    const { api, context, namespaces, visibility, hold } = this.#options;
    const release = hold?.(() => this.#attempt?.abort());
    const unwatchVisibility = onceHiddenFor(HIDDEN_MS, visibility, () => this.#attempt?.abort());
    const query = namespaces.length === 0 ? {} : { namespaces: namespaces.join(',') };
    try {
      const stream = api.stream('GET /contexts/{context}/workloads', {
        params: { context },
        query,
        signal: AbortSignal.any([signal, silence.signal]),
      });
      for await (const frames of stream) {
        listen();
        if (frames.some((frame) => 'error' in frame && frame.error !== undefined)) await loadMessages();
        if (isFirst) this.#list = { ...this.#list, denied: [], incoming: undefined };
        if (isFirst) onFirst();
        isFirst = false;
        this.#set(applyFrames(this.#list, frames, Date.now()));
      }
      return undefined;
    } catch (error) {
      if (signal.aborted || silence.signal.aborted) return undefined;
      if (error instanceof ApiError) return error;
      return new ApiError(0, pageError('bad-workloads', { cause: String(error) }));
    } finally {
      unwatchVisibility();
      release?.();
      clearTimeout(timer);
    }
  }

  #set(list: WorkloadList): void {
    if (list === this.#list) return;
    this.#list = list;
    for (const listener of this.#listeners) listener();
  }
}

const CLOSED = pageError('workloads-ended', {});

/** Whether a retry would give the same answer: not found, not allowed, not understood. */
function isFinal({ status }: ApiError): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 429;
}

/** Waits this long (undefined: forever), or until the signal aborts. */
function pause(ms: number | undefined, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = ms === undefined ? undefined : setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });
}
