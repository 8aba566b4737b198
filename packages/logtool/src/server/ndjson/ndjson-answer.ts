import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { Context } from 'hono';
import { breakOff } from '../break-off.ts';
import { type ClosingReason, type OpenStream, StreamClosing } from '../services.ts';
import type { FrameSource } from './frame-source.ts';

export const HEARTBEAT_MS = 15_000;
/** The server drops a reader that took nothing for this many heartbeats; the reader can reconnect and resume. */
const MISSED_BEATS = 20;
/**
 * How long the last line may wait for its reader; then the server closes the connection, so that a stalled reader keeps
 * no slot.
 */
export const LAST_LINE_MS = 5_000;
/** Combines pieces up to this size: fewer, larger writes. */
const WRITE_BYTES = 64 * 1024;
const encoder = new TextEncoder();

export const NDJSON_HEADERS = {
  'content-type': 'application/x-ndjson; charset=utf-8',
  'cache-control': 'no-store',
  // Proxies must not buffer lines, and the headers must go out before the first frame.
  'x-accel-buffering': 'no',
  'transfer-encoding': 'chunked',
} as const;

export interface AnswerOptions {
  readonly clock: Clock;
  /** Counts the stream, and ends it by shutdown or sign-out. */
  readonly stream: OpenStream;
  /** Aborted when the tab disconnects. */
  readonly requestSignal: AbortSignal;
  /** Gives access to the connection that break-off.ts closes. */
  readonly context?: Pick<Context, 'env'>;
  /** Called once, when the answer ends for any reason. */
  readonly onEnd?: () => void;
}

/**
 * Sends the frames of several sources in one answer. It is pull-based: a source provides its next piece only when the
 * socket accepts more, and the sources take turns, so that a slow reader delays its own sources and costs no memory.
 */
export class NdjsonAnswer {
  readonly #options: AnswerOptions;
  readonly #sources: FrameSource[] = [];
  #turn = 0;
  #wake: (() => void) | undefined;
  #beatDue = false;
  #missed = 0;
  #cancelBeat: () => void;
  #closing: ClosingReason | undefined;
  #cancelLast = () => {};
  #controller: ReadableStreamDefaultController | undefined;
  #over = false;

  constructor(options: AnswerOptions) {
    this.#options = options;
    this.#cancelBeat = options.clock.after(HEARTBEAT_MS, this.#beat);
    const { stream, requestSignal } = options;
    if (stream.signal.aborted) this.#onClosing();
    else stream.signal.addEventListener('abort', this.#onClosing, { once: true });
    if (requestSignal.aborted) this.#finish();
    else requestSignal.addEventListener('abort', this.#finish, { once: true });
  }

  add(source: FrameSource): void {
    if (this.#over) source.close();
    else this.#sources.push(source);
  }

  /** Reports that a source has something due. */
  readonly wake = (): void => {
    this.#wake?.();
  };

  body(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#controller = controller;
        },
        pull: async (controller) => {
          const piece = await this.#next();
          if (piece !== undefined) {
            controller.enqueue(piece);
            return;
          }
          this.#finish();
          controller.close();
        },
        cancel: this.#finish,
      },
      { highWaterMark: 0 },
    );
  }

  async #next(): Promise<Uint8Array | undefined> {
    for (;;) {
      if (this.#over) return undefined;
      if (this.#closing !== undefined) {
        const frame = { type: 'closing', reason: this.#closing };
        this.#finish();
        return line(frame);
      }
      if (this.#beatDue) {
        this.#beatDue = false;
        this.#missed = 0;
        return line({ type: 'heartbeat', at: this.#options.clock.now() });
      }
      const pieces = this.#gather();
      if (pieces !== undefined) return pieces;
      if (this.#sources.every(({ ended }) => ended)) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }

  /** Collects a piece of each source in turn, up to one write. */
  #gather(): Uint8Array | undefined {
    const pieces: Uint8Array[] = [];
    let bytes = 0;
    const count = this.#sources.length;
    for (let empty = 0; empty < count && bytes < WRITE_BYTES; ) {
      const piece = this.#sources[this.#turn++ % count]?.take();
      if (piece === undefined) empty++;
      else {
        empty = 0;
        pieces.push(piece);
        bytes += piece.length;
      }
    }
    this.#turn %= Math.max(1, count);
    return pieces.length > 1 ? Buffer.concat(pieces) : pieces[0];
  }

  readonly #beat = (): void => {
    if (this.#over) return;
    if (this.#beatDue && ++this.#missed >= MISSED_BEATS) this.#close('too-slow');
    this.#beatDue = true;
    this.#cancelBeat = this.#options.clock.after(HEARTBEAT_MS, this.#beat);
    this.wake();
  };

  readonly #onClosing = (): void => {
    const { reason } = this.#options.stream.signal;
    this.#close(reason instanceof StreamClosing ? reason.reason : 'shutdown');
  };

  /**
   * Ends the answer from this side: releases what the sources hold at once, whether or not anyone reads the last line.
   */
  #close(reason: ClosingReason): void {
    if (this.#over || this.#closing !== undefined) return;
    this.#closing = reason;
    for (const source of this.#sources) source.close();
    this.#cancelLast = this.#options.clock.after(LAST_LINE_MS, this.#cut);
    this.wake();
  }

  readonly #cut = (): void => {
    this.#finish();
    breakOff(
      this.#options.context ?? { env: undefined },
      this.#controller,
      new Error('nobody reads the last line'),
    );
  };

  readonly #finish = (): void => {
    if (this.#over) return;
    this.#over = true;
    const { stream, requestSignal, onEnd } = this.#options;
    this.#cancelBeat();
    this.#cancelLast();
    stream.signal.removeEventListener('abort', this.#onClosing);
    requestSignal.removeEventListener('abort', this.#finish);
    for (const source of this.#sources) source.close();
    stream.end();
    onEnd?.();
    this.wake();
  };
}

/** Returns a streamed body as a route's answer. The types of routes only know whole JSON bodies. */
export function streamed(
  context: Context,
  body: ReadableStream<Uint8Array>,
  headers: Readonly<Record<string, string>>,
): never {
  return context.body(body, 200, headers) as never;
}

/** Returns one frame as a line. */
export function line(frame: object): Uint8Array {
  return encoder.encode(`${JSON.stringify(frame)}\n`);
}
