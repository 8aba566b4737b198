import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { constants } from 'node:http2';
import type { Reply } from './request.ts';

export type RawRequest = IncomingMessage | Http2ServerRequest;
export type RawResponse = ServerResponse | Http2ServerResponse;

/** Writes a reply: headers at once, then each chunk as it arrives, no faster than the client reads. */
export async function send(
  request: RawRequest,
  response: RawResponse,
  reply: Reply,
  signal: AbortSignal,
): Promise<void> {
  const { body } = reply;
  const whole = typeof body === 'string' ? Buffer.from(body) : body instanceof Uint8Array ? body : undefined;
  const headers: Record<string, string | number> = { 'cache-control': 'no-cache, private', ...reply.headers };
  if (whole !== undefined) headers['content-length'] = whole.length;
  writeHead(response, reply.status, headers);
  if (request.method === 'HEAD' || body === undefined) return finish(response);
  if (whole !== undefined) return finish(response, whole);
  flushHeaders(response);
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array | string>) {
      if (chunk.length > 0 && !(await write(response, chunk))) return;
    }
  } catch {
    return cut(request, response);
  }
  // A stopping server ends its watches in order, but cuts logs.
  if (signal.aborted && reply.headers['content-type'] === 'text/plain') return cut(request, response);
  addTrailers(response, reply);
  return finish(response);
}

function addTrailers(response: RawResponse, { trailers }: Reply): void {
  const fields = trailers?.() ?? {};
  if (Object.keys(fields).length > 0) response.addTrailers(fields);
}

/** Cuts the connection after the written part, without ending the body. */
export function cut(request: RawRequest, response: RawResponse): void {
  if ('stream' in response && response.stream !== undefined) {
    const { stream } = response;
    // A reset overtakes queued data, so wait until the socket has taken it.
    setImmediate(() => stream.close(constants.NGHTTP2_INTERNAL_ERROR));
    return;
  }
  request.socket.destroySoon();
}

function writeHead(response: RawResponse, status: number, headers: Record<string, string | number>): void {
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, String(value));
}

function flushHeaders(response: RawResponse): void {
  if ('flushHeaders' in response) response.flushHeaders();
}

/** Resolves to whether the client is still connected. */
function write(response: RawResponse, chunk: Uint8Array | string): Promise<boolean> {
  if (isOver(response)) return Promise.resolve(false);
  const emitter = response as ServerResponse;
  if (emitter.write(chunk)) return Promise.resolve(true);
  return new Promise((resolve) => {
    const settle = (open: boolean) => {
      emitter.removeListener('drain', onDrain);
      emitter.removeListener('close', onClose);
      resolve(open);
    };
    const onDrain = () => settle(true);
    const onClose = () => settle(false);
    emitter.once('drain', onDrain);
    emitter.once('close', onClose);
  });
}

function finish(response: RawResponse, body?: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    const emitter = response as ServerResponse;
    if (isOver(response)) return resolve();
    emitter.once('close', () => resolve());
    if (body === undefined) emitter.end(() => resolve());
    else emitter.end(body, () => resolve());
  });
}

/** Whether a response can take no more data. A reset HTTP/2 stream takes none, and never reports that it can again. */
function isOver(response: RawResponse): boolean {
  if (response.destroyed || response.writableEnded) return true;
  if (!('stream' in response)) return false;
  return response.stream === undefined || response.stream.destroyed || response.stream.closed;
}
