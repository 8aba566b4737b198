import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import type { TLSSocket } from 'node:tls';
import type { AskedBy } from './front-proxy.ts';

/**
 * For the options of the server: without them Node.js resets requests with more than 128 headers over HTTP/2, and the
 * API server sends one for each group of a person. `maxHeaderSize` in bytes.
 */
export const HEADER_LIMITS = { maxHeaderListPairs: 2500, maxHeaderSize: 1024 * 1024 };

/** Returns what identifies the caller of a request, of either HTTP version. The server must request client certificates. */
export function askedBy(request: IncomingMessage | Http2ServerRequest): AskedBy {
  const session = 'stream' in request ? request.stream.session : undefined;
  const socket = (session?.socket ?? request.socket) as TLSSocket;
  return { leaf: socket.getPeerX509Certificate?.(), rawHeaders: request.rawHeaders };
}
