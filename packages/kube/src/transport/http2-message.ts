import type { ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2';
import { ProblemError } from '../values/problems.ts';
import type { AnswerMessage } from './body.ts';

/** Error codes (RFC 9113 section 7) by number. */
const CODES = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
];
export const REFUSED_STREAM = CODES.indexOf('REFUSED_STREAM');
export const CANCEL = CODES.indexOf('CANCEL');
export const HTTP_1_1_REQUIRED = CODES.indexOf('HTTP_1_1_REQUIRED');

/** A reset in the words of the protocol. */
export function nameOfReset(code: number | undefined): string {
  return CODES[code ?? 0] ?? `code ${code}`;
}

/**
 * Whether the server has reported that the answer is complete. The stream's `end` does not show it: Node also
 * ends a stream that was reset without an error (as Envoy does when its upstream breaks off), and one whose
 * connection breaks after a goodbye. Call it before any part of the answer has come.
 */
export function listenForEnd(stream: ClientHttp2Stream): () => boolean {
  let hasEnded = false;
  const { push } = stream;
  stream.push = (chunk, encoding) => {
    // Node marks a stream as closed before it ends it by itself.
    if (chunk === null && !stream.closed) hasEnded = true;
    return push.call(stream, chunk, encoding);
  };
  return () => hasEnded;
}

export interface MessageOptions {
  /** See listenForEnd. */
  readonly hasEnded: () => boolean;
  /** Gives the request up. */
  readonly cancel: () => void;
  /** Number of bytes of the body read so far. */
  readonly onRead: (bytes: number) => void;
}

/** An answer over HTTP/2 as node:http shows its own: a reset is an abort there. */
export class Http2Message implements AnswerMessage {
  readonly headers: IncomingHttpHeaders;
  readonly #stream: ClientHttp2Stream;
  readonly #hasEnded: () => boolean;
  readonly #cancel: () => void;
  readonly #onRead: (bytes: number) => void;
  #readBytes = 0;

  constructor(
    stream: ClientHttp2Stream,
    headers: IncomingHttpHeaders,
    { hasEnded, cancel, onRead }: MessageOptions,
  ) {
    this.#stream = stream;
    this.#hasEnded = hasEnded;
    this.#cancel = cancel;
    this.#onRead = onRead;
    this.headers = headers;
  }

  get complete(): boolean {
    return this.#hasEnded();
  }

  get destroyed(): boolean {
    return this.#stream.destroyed;
  }

  get readableEnded(): boolean {
    return this.#stream.readableEnded;
  }

  get errored(): Error | null {
    const { errored } = this.#stream;
    return errored === null ? null : plain(errored, this.#stream);
  }

  on(event: 'data', listener: (chunk: Uint8Array) => void): this;
  on(event: 'error', listener: (error: Error) => void): this;
  on(event: 'end' | 'close', listener: () => void): this;

  on(event: string, listener: ((chunk: Uint8Array) => void) | ((error: Error) => void)): this {
    const reported = listener as (value: unknown) => void;
    if (event === 'error') this.#stream.on(event, (error: Error) => reported(plain(error, this.#stream)));
    else if (event === 'data') {
      this.#stream.on(event, (chunk: Uint8Array) => {
        this.#readBytes += chunk.length;
        this.#onRead(this.#readBytes);
        reported(chunk);
      });
    } else this.#stream.on(event, reported);
    return this;
  }

  pause(): this {
    this.#stream.pause();
    return this;
  }

  resume(): this {
    this.#stream.resume();
    return this;
  }

  /** The other streams of the connection continue. */
  destroy(): void {
    this.#cancel();
  }
}

function plain(error: Error, stream: ClientHttp2Stream): Error {
  if (!('code' in error) || !String(error.code).startsWith('ERR_HTTP2')) return error;
  const cause = new ProblemError(
    { code: 'stream-reset', data: { reset: nameOfReset(stream.rstCode) } },
    { cause: error },
  );
  return Object.assign(new Error('aborted', { cause }), { code: 'ECONNRESET' });
}
