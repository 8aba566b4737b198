import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { type ApiClient, ApiError } from '../../../contract/client.ts';
import type { WireError } from '../../../contract/error.ts';
import type { LogFrame } from '../../../contract/log-frame.ts';
import type { LogRequest } from '../../../contract/log-query.ts';
import type { BufferStatus } from '../session/protocol.ts';
import { watchSilence } from './watch-silence.ts';

const BACKOFF_MS = [500, 1000, 2000, 3000, 5000];

export interface LiveOptions {
  readonly api: ApiClient;
  readonly clock: Clock;
  readonly context: string;
  /** It begins with a rest. */
  readonly isResting: boolean;
  /** What is asked for: made anew for each connection. `attempt` 0: the first one. */
  request(attempt: number): LogRequest;
  onFrames(frames: readonly LogFrame[]): void;
  onConnection(state: BufferStatus['connection']): void;
  onSignedOut(reason: string): void;
  /** The server refuses the question itself: asking again is of no use. */
  onRefused(error: WireError): void;
}

/** A stream that goes on until it is closed or its queries are done: after a cut it connects again, ever slower. */
export class LiveStream {
  readonly #options: LiveOptions;
  readonly #abort = new AbortController();
  #wake: (() => void) | undefined;
  #isResting: boolean;
  /** Ends the present connection for a rest. */
  #leave: (() => void) | undefined;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#isResting = options.isResting;
  }

  /** Leaves the connection to others, or takes it up where it was. That is no cut: nobody looked. */
  rest(isResting: boolean): void {
    this.#isResting = isResting;
    if (isResting) this.#leave?.();
    else this.#wake?.();
  }

  close(): void {
    this.#abort.abort();
    this.#wake?.();
  }

  /** Does not wait any longer before it connects. False where it does not wait. */
  retryNow(): boolean {
    const isWaiting = this.#wake !== undefined;
    this.#wake?.();
    return isWaiting;
  }

  /** Resolves when nothing more will come. */
  async run(): Promise<void> {
    const { clock, onConnection } = this.#options;
    const closed = this.#abort.signal;
    let failures = 0;
    for (let attempt = 0; !closed.aborted; attempt++) {
      await this.#whileResting();
      if (closed.aborted) return;
      const result = await this.#connect(attempt);
      if (closed.aborted) return;
      if (result.outcome === 'rested') continue;
      if (result.outcome === 'done') return onConnection({ state: 'ended' });
      if (result.outcome === 'signed-out') {
        onConnection({ state: 'ended' });
        return this.#options.onSignedOut(result.reason);
      }
      if (result.outcome === 'refused') {
        onConnection({ state: 'ended' });
        return this.#options.onRefused(result.error);
      }
      failures = result.hadFrames ? 0 : failures + 1;
      const waitMs = BACKOFF_MS[Math.min(failures, BACKOFF_MS.length) - (failures > 0 ? 1 : 0)] ?? 5000;
      onConnection({ state: 'reconnecting', retryAtMs: clock.now() + waitMs, error: result.error });
      await this.#wait(waitMs);
    }
  }

  async #connect(attempt: number): Promise<Outcome> {
    const { api, clock, context, request, onFrames, onConnection } = this.#options;
    const connection = new AbortController();
    const onClose = () => connection.abort();
    this.#abort.signal.addEventListener('abort', onClose, { once: true });
    let isRest = false;
    this.#leave = () => {
      isRest = true;
      connection.abort();
    };
    let isSilent = false;
    const silence = watchSilence(clock, () => {
      isSilent = true;
      connection.abort();
    });
    let hadFrames = false;
    try {
      onConnection({ state: 'connecting' });
      const body = request(attempt);
      const open = new Set(body.queries.map(({ id }) => id));
      for await (const frames of api.stream('logs', {
        params: { context },
        body,
        signal: connection.signal,
      })) {
        silence.heard();
        // A question that the cluster does not answer is no connection to it.
        if (!hadFrames && !frames.some(isFailure)) onConnection({ state: 'live' });
        hadFrames = true;
        onFrames(frames);
        for (const frame of frames) {
          if (frame.type === 'closing') return closingOf(frame.reason);
          if (frame.type !== 'done') continue;
          if (frame.error !== undefined && frame.final === true)
            return { outcome: 'refused', error: frame.error };
          if (frame.error !== undefined) return { outcome: 'cut', error: frame.error, hadFrames: false };
          open.delete(frame.q);
        }
        if (open.size === 0) return { outcome: 'done' };
      }
      return { outcome: 'cut', error: undefined, hadFrames };
    } catch (error) {
      if (isRest) return { outcome: 'rested' };
      if (isSilent) return { outcome: 'cut', error: SILENT, hadFrames };
      if (!(error instanceof ApiError)) return { outcome: 'cut', error: unexpected(error), hadFrames };
      return outcomeOf(error, hadFrames);
    } finally {
      this.#leave = undefined;
      silence.end();
      connection.abort();
      this.#abort.signal.removeEventListener('abort', onClose);
    }
  }

  async #whileResting(): Promise<void> {
    while (this.#isResting && !this.#abort.signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        cancel();
        this.#wake = undefined;
        resolve();
      };
      const cancel = this.#options.clock.after(ms, done);
      this.#wake = done;
    });
  }
}

function isFailure(frame: LogFrame): boolean {
  return frame.type === 'done' && frame.error !== undefined;
}

type Outcome =
  | { readonly outcome: 'rested' }
  | { readonly outcome: 'done' }
  | { readonly outcome: 'signed-out'; readonly reason: string }
  | { readonly outcome: 'refused'; readonly error: WireError }
  | { readonly outcome: 'cut'; readonly error: WireError | undefined; readonly hadFrames: boolean };

const SILENT: WireError = {
  code: 'silent',
  what: 'The connection gave no sign of life for 40 seconds',
};

function closingOf(reason: Extract<LogFrame, { type: 'closing' }>['reason']): Outcome {
  if (reason === 'shutdown' || reason === 'too-slow') {
    const what = reason === 'shutdown' ? 'logtool was stopped' : 'This page did not keep up with the lines';
    return { outcome: 'cut', error: { code: reason, what }, hadFrames: true };
  }
  return { outcome: 'signed-out', reason: SIGNED_OUT[reason] };
}

const SIGNED_OUT = {
  'signed-out': 'You are signed out',
  expired: 'Your session has expired',
  revoked: 'The cluster does not know your token any more: it has expired or been revoked',
} as const;

function outcomeOf(error: ApiError, hadFrames: boolean): Outcome {
  if (error.status === 401) return { outcome: 'signed-out', reason: error.error.what };
  const isFinal =
    error.status === 400 ||
    error.status === 413 ||
    error.status === 422 ||
    error.error.code === 'namespace-not-allowed';
  // Any other 403 may be over with the next page token or right.
  if (isFinal || error.error.code === 'namespace-not-allowed')
    return { outcome: 'refused', error: error.error };
  return { outcome: 'cut', error: error.error, hadFrames };
}

function unexpected(error: unknown): WireError {
  return {
    code: 'broken-stream',
    what: 'The stream of lines broke',
    why: error instanceof Error ? error.message : String(error),
  };
}
