import type { IncomingMessage, ServerResponse } from 'node:http';
import { constants, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { Status } from '../status/status.ts';

/** A request and an answer of either HTTP version. */
export type AnyRequest = IncomingMessage | Http2ServerRequest;
export type AnyResponse = ServerResponse | Http2ServerResponse;

export function sendStatus(response: AnyResponse, status: Status): void {
  const { retryAfterSeconds } = status.details ?? {};
  if (retryAfterSeconds !== undefined) response.setHeader('retry-after', retryAfterSeconds);
  sendJson(response, status, status.code);
}

export function sendJson(
  response: AnyResponse,
  document: unknown,
  code = 200,
  type = 'application/json',
): void {
  response.statusCode = code;
  response.setHeader('content-type', type);
  response.end(`${JSON.stringify(document)}\n`);
}

/** Sends status and headers before there is a body. */
export function sendHead(response: AnyResponse): void {
  if ('stream' in response) response.writeHead(response.statusCode);
  else response.flushHeaders();
}

/** Ends an answer so that its reader does not take it for complete: CANCEL, which Node.js sends for an abort, would. */
export function cut(response: AnyResponse): void {
  if ('stream' in response) response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  else response.destroy();
}

/**
 * Passes chunks on as the reader takes them, and calls back with what breaks them off, before the answer ends: only
 * then can it end as one that is cut.
 */
export async function* reportingFailure(
  chunks: AsyncIterable<Uint8Array>,
  onFailure: (error: unknown) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    yield* chunks;
  } catch (error) {
    onFailure(error);
    throw error;
  }
}
