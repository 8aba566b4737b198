import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { Backoff } from '@logtool/kube/src/values/retry.ts';
import { ApiError } from '../../../contract/client.ts';
import type { WireError } from '../../../contract/error.ts';
import type { FactsFrame } from '../../../contract/facts.ts';
import type { LogFrame } from '../../../contract/log-frame.ts';
import { RECONNECT_WAITS } from '../../api/reconnect-waits.ts';
import { SILENCE_MS, type SilenceWatch, watchSilence } from '../../api/watch-silence.ts';
import { causeText, pageError } from '../../messages/page.ts';
import type { BufferStatus } from '../protocol/protocol.ts';

type AnyFrame = LogFrame | FactsFrame;

/** One connection: its frames, and the ids of the queries that the frames answer. */
export interface LiveConnection<F extends AnyFrame> {
  readonly queries: readonly number[];
  readonly frames: AsyncIterable<readonly F[]>;
}

export interface LiveOptions<F extends AnyFrame> {
  readonly clock: Clock;
  /** Whether the stream starts resting. */
  readonly isResting: boolean;
  /** Makes the request; each connection has its own. `attempt` 0: the first one. */
  open(attempt: number, signal: AbortSignal): LiveConnection<F>;
  onFrames(frames: readonly F[]): void;
  onConnection(state: BufferStatus['connection']): void;
  onSignedOut(error: WireError): void;
  /** Called when the server rejects the query itself, so that a retry is of no use. */
  onRefused(error: WireError): void;
}

/**
 * A stream that continues until it is closed or its queries are done. After a cut it reconnects, with growing pauses.
 */
export class LiveStream<F extends AnyFrame> {
  readonly #options: LiveOptions<F>;
  readonly #abort = new AbortController();
  #wake: (() => void) | undefined;
  #isResting: boolean;
  /** Ends the current connection to rest. */
  #leave: (() => void) | undefined;

  constructor(options: LiveOptions<F>) {
    this.#options = options;
    this.#isResting = options.isResting;
  }

  /** Releases the connection for other tabs, or resumes it. A rest is not a cut: the page was hidden. */
  rest(isResting: boolean): void {
    this.#isResting = isResting;
    if (isResting) this.#leave?.();
    else this.#wake?.();
  }

  close(): void {
    this.#abort.abort();
    this.#wake?.();
  }

  /** Ends the wait for the next connection. Returns false if the stream is not waiting. */
  retryNow(): boolean {
    const isWaiting = this.#wake !== undefined;
    this.#wake?.();
    return isWaiting;
  }

  /** Resolves when nothing more will arrive. */
  async run(): Promise<void> {
    const closed = this.#abort.signal;
    const backoff = new Backoff(RECONNECT_WAITS);
    for (let attempt = 0; !closed.aborted; attempt++) {
      await this.#whileResting();
      if (closed.aborted) return;
      const outcome = await this.#connect(attempt);
      if (closed.aborted || this.#isOver(outcome)) return;
      if (outcome.outcome === 'cut') await this.#waitAfter(outcome, backoff);
    }
  }

  /** Whether a connection was the last one; notifies callers that wait for lines. */
  #isOver(outcome: Outcome): boolean {
    const { onConnection, onSignedOut, onRefused } = this.#options;
    switch (outcome.outcome) {
      case 'rested':
      case 'cut':
        return false;
      case 'done':
        onConnection({ state: 'ended' });
        return true;
      case 'signed-out':
        onConnection({ state: 'ended' });
        onSignedOut(outcome.error);
        return true;
      case 'refused':
        onConnection({ state: 'ended' });
        onRefused(outcome.error);
        return true;
    }
  }

  #waitAfter({ hadFrames, error }: Extract<Outcome, { outcome: 'cut' }>, backoff: Backoff): Promise<void> {
    const { clock, onConnection } = this.#options;
    const waitMs = hadFrames ? backoff.progressedMs() : backoff.nextMs();
    onConnection({ state: 'reconnecting', retryAtMs: clock.now() + waitMs, error });
    return this.#wait(waitMs);
  }

  async #connect(attempt: number): Promise<Outcome> {
    const connection = new Connection(this.#options);
    const onClose = () => connection.abort();
    this.#abort.signal.addEventListener('abort', onClose, { once: true });
    this.#leave = () => connection.rest();
    try {
      return await connection.run(attempt);
    } finally {
      this.#leave = undefined;
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

/** One connection, from its request to its outcome. */
class Connection<F extends AnyFrame> {
  readonly #options: LiveOptions<F>;
  readonly #abort = new AbortController();
  /** Queries that the server has not finished. */
  #open = new Set<number>();
  #hadFrames = false;
  /** Why the page itself ended the connection. */
  #endedFor: 'rest' | 'silence' | undefined;

  constructor(options: LiveOptions<F>) {
    this.#options = options;
  }

  abort(): void {
    this.#abort.abort();
  }

  rest(): void {
    this.#endedFor = 'rest';
    this.abort();
  }

  async run(attempt: number): Promise<Outcome> {
    const silence = watchSilence(this.#options.clock, () => {
      this.#endedFor = 'silence';
      this.abort();
    });
    try {
      return await this.#read(attempt, silence);
    } catch (error) {
      return this.#outcomeOfError(error);
    } finally {
      silence.end();
      this.abort();
    }
  }

  async #read(attempt: number, silence: SilenceWatch): Promise<Outcome> {
    const { open, onConnection } = this.#options;
    onConnection({ state: 'connecting' });
    const { queries, frames: stream } = open(attempt, this.#abort.signal);
    this.#open = new Set(queries);
    for await (const frames of stream) {
      silence.heard();
      const outcome = this.#take(frames);
      if (outcome !== undefined) return outcome;
    }
    return { outcome: 'cut', error: undefined, hadFrames: this.#hadFrames };
  }

  /** Hands frames on. Returns the outcome of the connection if they end it. */
  #take(frames: readonly F[]): Outcome | undefined {
    // A failed query does not show a connection to the cluster.
    if (!this.#hadFrames && !frames.some(isFailure)) this.#options.onConnection({ state: 'live' });
    this.#hadFrames = true;
    this.#options.onFrames(frames);
    for (const frame of frames as readonly AnyFrame[]) {
      if (frame.type === 'closing') return closingOf(frame.reason);
      if (frame.type !== 'done') continue;
      if (frame.error !== undefined) return outcomeOfDone(frame.error, frame.final === true);
      this.#open.delete(frame.q);
    }
    return this.#open.size === 0 ? { outcome: 'done' } : undefined;
  }

  #outcomeOfError(error: unknown): Outcome {
    const hadFrames = this.#hadFrames;
    if (this.#endedFor === 'rest') return { outcome: 'rested' };
    if (this.#endedFor === 'silence')
      return { outcome: 'cut', error: pageError('silent', { seconds: SILENCE_MS / 1_000 }), hadFrames };
    this.#endedFor satisfies undefined;
    if (!(error instanceof ApiError))
      return { outcome: 'cut', error: pageError('broken-stream', { cause: causeText(error) }), hadFrames };
    return outcomeOf(error, hadFrames);
  }
}

function outcomeOfDone(error: WireError, isFinal: boolean): Outcome {
  return isFinal ? { outcome: 'refused', error } : { outcome: 'cut', error, hadFrames: false };
}

function isFailure(frame: AnyFrame): boolean {
  return frame.type === 'done' && frame.error !== undefined;
}

type Outcome =
  | { readonly outcome: 'rested' }
  | { readonly outcome: 'done' }
  | { readonly outcome: 'signed-out'; readonly error: WireError }
  | { readonly outcome: 'refused'; readonly error: WireError }
  | { readonly outcome: 'cut'; readonly error: WireError | undefined; readonly hadFrames: boolean };

function closingOf(reason: Extract<LogFrame, { type: 'closing' }>['reason']): Outcome {
  const error = pageError(reason, {});
  switch (reason) {
    case 'signed-out':
    case 'expired':
    case 'revoked':
      return { outcome: 'signed-out', error };
    case 'shutdown':
    case 'too-slow':
      return { outcome: 'cut', error, hadFrames: true };
    default:
      // A reason of a newer server: to connect again shows whether the session still exists.
      reason satisfies never;
      return { outcome: 'cut', error, hadFrames: true };
  }
}

/** The query itself is wrong, too large, or cannot be answered. */
const FINAL_STATUS: ReadonlySet<number> = new Set([400, 413, 422]);

function outcomeOf(error: ApiError, hadFrames: boolean): Outcome {
  if (error.status === 401) return { outcome: 'signed-out', error: error.error };
  // A new page token or permission may resolve any other 403.
  const isFinal = FINAL_STATUS.has(error.status) || error.error.code === 'namespace-not-allowed';
  if (isFinal) return { outcome: 'refused', error: error.error };
  return { outcome: 'cut', error: error.error, hadFrames };
}
