import { Agent } from 'node:http';
import { Duplex } from 'node:stream';

/** The bytes that answer one request, and whether the connection then ends in order or is reset. */
export interface BytesAnswer {
  readonly bytes: Uint8Array;
  readonly reset: boolean;
  /** Size of the pieces in which they come. */
  readonly chunkBytes: number;
}

const HEAD_END = '\r\n\r\n';

/** In place of a socket: each request is answered with bytes, which need not be HTTP, and nothing comes after them. */
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

  // What node:http and the transport ask of a socket.
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

/** An agent whose sockets are answered by a function of the request's first line: the lowest seam of the transport. */
export function bytesAgent(answer: (requestLine: string) => BytesAnswer): Agent {
  const agent = new Agent({ keepAlive: false });
  const seam: { createConnection: () => Duplex } = agent as never;
  seam.createConnection = () => new BytesSocket(answer);
  return agent;
}

/** An answer as a server writes it, its body in chunks or by its length. */
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
