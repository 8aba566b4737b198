import { ApiError, badRequest } from '../../api-error.ts';
import { readProtobuf } from '../protobuf/read.ts';
import type { ApiRequest } from './request.ts';

const MAX_BYTES = 3 * 1024 * 1024;

/** Reads the body as an object: JSON, or YAML if the content type says so. Undefined if the body is empty. */
export async function readObject(
  request: ApiRequest,
  kind: string,
): Promise<Record<string, unknown> | undefined> {
  const bytes = await request.body();
  if (bytes.length > MAX_BYTES) {
    throw new ApiError(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${MAX_BYTES}`);
  }
  if (bytes.length === 0) return undefined;
  const type = contentType(request);
  if (type === 'application/vnd.kubernetes.protobuf') {
    const object = readProtobuf(bytes);
    if (object !== undefined) return object;
  }
  if (type !== '' && type !== 'application/json' && type !== 'application/yaml') {
    throw new ApiError(
      415,
      'UnsupportedMediaType',
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml, application/vnd.kubernetes.protobuf',
    );
  }
  const text = bytes.toString('utf8');
  const value = type === 'application/yaml' ? await readYaml(text) : readJson(text, kind);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind`,
    );
  }
  return value as Record<string, unknown>;
}

export function contentType(request: ApiRequest): string {
  return (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

function readJson(text: string, kind: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const start = text.length > 100 ? `${text.slice(0, 100)}...` : text;
    const why = goJsonError(text, error);
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${why} (${start})`,
    );
  }
}

/** Returns the error text of Go's JSON reader, as far as V8's error allows. */
function goJsonError(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (/Unexpected end|Unterminated/i.test(message)) return 'unexpected end of JSON input';
  const position = /position (\d+)/.exec(message)?.[1];
  const char = position === undefined ? text[0] : text[Number(position)];
  if (char === undefined) return 'unexpected end of JSON input';
  return `invalid character '${char}' looking for beginning of value`;
}

export async function readYaml(text: string): Promise<unknown> {
  const { load } = await import('js-yaml');
  try {
    return load(text);
  } catch (error) {
    throw badRequest(
      `error converting YAML to JSON: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
