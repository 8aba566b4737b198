import { Agent } from 'node:http';
import { Duplex } from 'node:stream';

/** The bytes that answer one request, and whether the connection then ends normally or resets. */
export interface BytesAnswer {
  readonly bytes: Uint8Array;
  readonly reset: boolean;
  /** Size of the pieces in which they arrive. */
  readonly chunkBytes: number;
}

const HEAD_END = '\r\n\r\n';

/**
 * Replaces a socket: answers each request with bytes, which need not be HTTP, and then sends nothing more.
 */
class BytesSocket extends Duplex {
  readonly #answer: (requestLine: string) => BytesAnswer;
  #request = '';
  #answered = false;

  constructor(answer: (requestLine: string) => BytesAnswer) {
    super();
    this.#answer = answer;
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#request += chunk.toString('latin1');
    done();
    if (this.#answered || !this.#request.includes(HEAD_END)) return;
    this.#answered = true;
    const { bytes, reset, chunkBytes } = this.#answer(this.#request.slice(0, this.#request.indexOf('\r\n')));
    for (let at = 0; at < bytes.length; at += chunkBytes) this.push(bytes.subarray(at, at + chunkBytes));
    if (reset)
      setImmediate(() => this.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })));
    else this.push(null);
  }

  // Methods that node:http and the transport call on a socket.
  setKeepAlive(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setTimeout(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

/**
 * Creates an agent whose sockets a function of the request's first line answers, at the lowest level of the
 * transport.
 */
export function bytesAgent(answer: (requestLine: string) => BytesAnswer): Agent {
  const agent = new Agent({ keepAlive: false });
  const seam: { createConnection: () => Duplex } = agent as never;
  seam.createConnection = () => new BytesSocket(answer);
  return agent;
}

/** Formats an answer like a server, its body in chunks or by its length. */
export function httpAnswer(status: number, body: string | Uint8Array, headers = '', chunked = false): Buffer {
  const bytes = Buffer.from(body as string);
  const framing = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes.length}`;
  const head = `HTTP/1.1 ${status} Any\r\nContent-Type: application/json\r\n${headers}${framing}${HEAD_END}`;
  if (!chunked) return Buffer.concat([Buffer.from(head), bytes]);
  const middle = bytes.length >> 1;
  const halves = [bytes.subarray(0, middle), bytes.subarray(middle)].filter((half) => half.length > 0);
  const framed = halves.flatMap((half) => [
    Buffer.from(`${half.length.toString(16)}\r\n`),
    half,
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([Buffer.from(head), ...framed, Buffer.from('0\r\n\r\n')]);
}
