import type { ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2';
import { ProblemError } from '../values/problems.ts';
import type { AnswerMessage } from './body.ts';

/** Error codes (RFC 9113 section 7), in numeric order. */
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

/** Returns the protocol's name of a reset code. */
export function nameOfReset(code: number | undefined): string {
  return CODES[code ?? 0] ?? `code ${code}`;
}

/**
 * Returns whether the server has reported that the response is complete. The stream's `end` does not show it: Node also
 * ends a stream that was reset without an error (Envoy does this if its upstream breaks), and one whose connection
 * breaks after GOAWAY. Call this before any part of the response arrives.
 */
export function listenForEnd(stream: ClientHttp2Stream): () => boolean {
  let hasEnded = false;
  const { push } = stream;
  stream.push = (chunk, encoding) => {
    // If Node itself ends a stream, it first marks it as closed.
    if (chunk === null && !stream.closed) hasEnded = true;
    return push.call(stream, chunk, encoding);
  };
  return () => hasEnded;
}

export interface MessageOptions {
  /** See listenForEnd. */
  readonly hasEnded: () => boolean;
  /** Cancels the request. */
  readonly cancel: () => void;
  /** Receives the number of body bytes read so far. */
  readonly onRead: (bytes: number) => void;
}

/** An HTTP/2 response in the form of node:http's: a reset appears as an abort. */
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

  /** Cancels this request; the other streams of the connection continue. */
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
