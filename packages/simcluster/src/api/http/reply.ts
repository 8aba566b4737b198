import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { dump, YAML11_SCHEMA } from 'js-yaml';
import { ApiError } from '../../api-error.ts';
import { isPretty, negotiate, type OutputFormat } from './negotiate.ts';
import type { ApiRequest, Reply } from './request.ts';

const COMPRESSED_FROM_BYTES = 128 * 1024;
const compress = promisify(gzip);

/** Returns JSON as Go writes it: escapes `<`, `>`, `&`, U+2028 and U+2029. */
export function goJson(value: unknown, pretty: boolean): string {
  const text = pretty ? JSON.stringify(value, undefined, 2) : JSON.stringify(value);
  return text.replace(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Makes a reply with an object in the negotiated format; compresses large ones if the client accepts that. */
export async function objectReply(
  request: ApiRequest,
  format: OutputFormat,
  value: unknown,
  status = 200,
): Promise<Reply> {
  const headers: Record<string, string> = { 'content-type': `application/${format.mediaType}` };
  const body =
    format.mediaType === 'vnd.kubernetes.protobuf'
      ? await asProtobuf(value)
      : Buffer.from(await render(format, value));
  const takesGzip = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  if (!takesGzip || body.length < COMPRESSED_FROM_BYTES) return { status, headers, body };
  headers['content-encoding'] = 'gzip';
  headers.vary = 'Accept-Encoding';
  return { status, headers, body: await compress(body, { level: 1 }) };
}

/**
 * Encodes an object as protobuf.
 * @throws ApiError 406 if it has no protobuf form
 */
async function asProtobuf(value: unknown): Promise<Buffer> {
  const { writeProtobuf } = await import('../protobuf/write.ts');
  const bytes = writeProtobuf(value as Readonly<Record<string, unknown>>);
  if (bytes !== undefined) return bytes;
  throw new ApiError(
    406,
    'NotAcceptable',
    'only the following media types are accepted: application/json, application/yaml',
  );
}

async function render(format: OutputFormat, value: unknown): Promise<string> {
  if (format.mediaType === 'json') {
    return format.pretty ? goJson(value, true) : `${goJson(value, false)}\n`;
  }
  return dump(JSON.parse(JSON.stringify(value)), {
    // Quotes text that YAML 1.1, which Go's readers use, would read as a date or a boolean.
    schema: YAML11_SCHEMA,
    sortKeys: true,
    lineWidth: 80,
    seqNoIndent: true,
    noRefs: true,
  });
}

export function textReply(status: number, text: string): Reply {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    body: text,
  };
}

/** Makes the reply for a path outside the API. */
export function pageNotFound(): Reply {
  return textReply(404, '404 page not found\n');
}

export function statusObject(error: ApiError): Record<string, unknown> {
  const { details, code, reason, message, continueToken } = error;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: continueToken === undefined ? {} : { continue: continueToken },
    status: 'Failure',
    message,
    ...(reason === undefined ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  };
}

/**
 * Makes a reply with a Status in the requested format. If the client accepts only a Table or metadata, which a Status
 * cannot be, the server falls back to indented JSON without a newline.
 */
export async function errorReply(request: ApiRequest, error: ApiError): Promise<Reply> {
  const headers: Record<string, string> = {};
  if (error.details?.retryAfterSeconds !== undefined) {
    headers['retry-after'] = String(error.details.retryAfterSeconds);
  }
  if (error.code === 403) headers['x-content-type-options'] = 'nosniff';
  let format: OutputFormat;
  try {
    format = negotiate(request, { transforms: false });
  } catch {
    const body = goJson(statusObject(error), true);
    return { status: error.code, headers: { ...headers, 'content-type': 'application/json' }, body };
  }
  const reply = await objectReply(
    request,
    { ...format, pretty: isPretty(request) },
    statusObject(error),
    error.code,
  );
  return { ...reply, headers: { ...reply.headers, ...headers } };
}
