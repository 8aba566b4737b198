import { KubeError, type RequestSubject } from '../errors.ts';
import { errorFromNetwork } from '../failure/network.ts';
import { onAbort } from './on-abort.ts';

/** A response whose body arrives in events, like node:http's IncomingMessage. */
export interface AnswerMessage {
  readonly headers: {
    readonly 'content-type'?: string | undefined;
    readonly 'content-encoding'?: string | undefined;
    readonly 'content-range'?: string | undefined;
    readonly 'retry-after'?: string | undefined;
    readonly location?: string | undefined;
  };
  /** At `end`: whether the body arrived whole. */
  readonly complete: boolean;
  readonly destroyed: boolean;
  readonly readableEnded: boolean;
  readonly errored: Error | null;
  on(event: 'data', listener: (chunk: Uint8Array) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'end' | 'close', listener: () => void): unknown;
  pause(): unknown;
  resume(): unknown;
  destroy(): unknown;
}

/** Status and message of a response with any status. */
export interface Answer {
  readonly status: number;
  readonly response: AnswerMessage;
}

/**
 * Limits of the bytes that wait for the consumer before the socket pauses. All bodies share ALL_WAITING_BYTES: a merge
 * may hold a thousand of them.
 */
const MAX_WAITING_BYTES = 64 * 1024;
const MIN_WAITING_BYTES = 16 * 1024;
const ALL_WAITING_BYTES = 2 * 1024 * 1024;

/** How many bodies of all clients are being read, because they share the memory. */
let reading = 0;

function highWaterBytes(): number {
  return Math.min(MAX_WAITING_BYTES, Math.max(MIN_WAITING_BYTES, ALL_WAITING_BYTES / reading));
}

/**
 * The body of a response, in the chunks that the socket delivered, without copies. Reads nothing before the first
 * `next()`; a slow consumer pauses the socket. Ends when the message is complete. Throws a KubeError of kind
 * `connection` if the body was cut, and the signal's reason if that aborted. `return()` closes the stream.
 * This does not use the stream's own iterator, which joins (copies) buffered chunks and reports a cut with private
 * codes.
 */
export class ResponseBody implements AsyncIterableIterator<Uint8Array> {
  readonly #response: AnswerMessage;
  readonly #request: RequestSubject | undefined;
  #forgetSignal = (): void => {};
  #queue: Uint8Array[] = [];
  #queuedBytes = 0;
  #state: 'idle' | 'flowing' | 'paused' | 'ended' = 'idle';
  #failure: { readonly error: unknown } | undefined;
  #wake: (() => void) | undefined;

  constructor(response: AnswerMessage, request: RequestSubject | undefined, signal: AbortSignal | undefined) {
    this.#response = response;
    this.#request = request;
    response.on('end', () => (response.complete ? this.#end() : this.#fail(this.#cut())));
    response.on('error', (error) => this.#fail(this.#cut(error)));
    response.on('close', () => this.#fail(this.#cut()));
    // It may have been cut before this listened.
    if (response.destroyed && !response.readableEnded) this.#fail(this.#cut(response.errored ?? undefined));
    this.#forgetSignal = onAbort(signal, () => this.abandon(signal?.reason));
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array, undefined>> {
    for (;;) {
      const chunk = this.#queue.shift();
      if (chunk !== undefined) {
        this.#queuedBytes -= chunk.length;
        return { done: false, value: chunk };
      }
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#state === 'ended') return { done: true, value: undefined };
      const more = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#flow();
      await more;
    }
  }

  async return(): Promise<IteratorResult<Uint8Array, undefined>> {
    this.#queue = [];
    this.#end();
    // A message read to its end leaves the socket to the next request; closing any other destroys the socket.
    if (!this.#response.readableEnded) this.#response.destroy();
    return { done: true, value: undefined };
  }

  /** Ends the body with an error that the caller found, such as a stall or a size limit. */
  abandon(error: unknown): void {
    this.#queue = [];
    this.#fail(error);
    this.#response.destroy();
  }

  #flow(): void {
    if (this.#state === 'idle') {
      this.#state = 'flowing';
      reading++;
      this.#response.on('data', (chunk: Uint8Array) => this.#push(chunk));
    } else if (this.#state === 'paused') {
      this.#state = 'flowing';
      this.#response.resume();
    } else this.#state satisfies 'ended' | 'flowing';
  }

  #push(chunk: Uint8Array): void {
    if (this.#state === 'ended' || this.#failure !== undefined) return;
    this.#queue.push(chunk);
    this.#queuedBytes += chunk.length;
    if (this.#queuedBytes >= highWaterBytes() && this.#state === 'flowing') {
      this.#state = 'paused';
      this.#response.pause();
    }
    this.#wake?.();
  }

  #end(): void {
    this.#leave();
    if (this.#failure === undefined) this.#state = 'ended';
    this.#forgetSignal();
    this.#wake?.();
  }

  #leave(): void {
    if (this.#failure === undefined && (this.#state === 'flowing' || this.#state === 'paused')) reading--;
  }

  #fail(error: unknown): void {
    if (this.#state === 'ended' || this.#failure !== undefined) return;
    this.#leave();
    this.#failure = { error };
    this.#forgetSignal();
    this.#wake?.();
  }

  #cut(cause?: unknown): KubeError {
    if (cause !== undefined) {
      const error = errorFromNetwork(cause, this.#request);
      // Broken chunk framing is a cut as well: data before it is valid, data after it is lost.
      if (error.kind !== 'protocol' && error.message !== 'aborted') return error;
    }
    return new KubeError({
      kind: 'connection',
      problem: { code: 'connection-cut', data: {} },
      code: 'ECONNRESET',
      request: this.#request,
      cause,
    });
  }
}
