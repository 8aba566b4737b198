import { ApiError, badRequest } from '../../api-error.ts';

/** Where a list continues: after the key `start`, in the state of `resourceVersion` (-1: the current one). */
export interface ContinuePosition {
  readonly resourceVersion: number;
  /** `namespace/name`, or only `name` for a list of one namespace. */
  readonly start: string;
}

/** Formats a token. Resources that the server does not cache (events) have keys without the leading slash. */
export function formatContinue({ resourceVersion, start }: ContinuePosition, cached: boolean): string {
  const key = cached ? `/${start}` : start;
  const text = `{"v":"meta.k8s.io/v1","rv":${resourceVersion},"start":${JSON.stringify(`${key}\u0000`)}}`;
  return Buffer.from(text).toString('base64url');
}

/**
 * Parses a token.
 * @throws ApiError 400
 */
export function parseContinue(token: string): ContinuePosition {
  const bytes = Buffer.from(token, 'base64url');
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    const first = bytes[0];
    const why =
      first === undefined
        ? 'unexpected end of JSON input'
        : `invalid character ${quote(first)} looking for beginning of value`;
    throw badRequest(`invalid continue token: continue key is not valid: ${why}`);
  }
  const { v, rv, start } = (value ?? {}) as { v?: unknown; rv?: unknown; start?: unknown };
  if (v !== 'meta.k8s.io/v1')
    throw badRequest(
      'invalid continue token: continue key is not valid: server does not recognize this encoded version',
    );
  if (typeof rv !== 'number' || rv === 0)
    throw badRequest(
      'invalid continue token: continue key is not valid: incorrect encoded start resourceVersion (version meta.k8s.io/v1)',
    );
  if (typeof start !== 'string' || start === '')
    throw badRequest(
      'invalid continue token: continue key is not valid: encoded start key empty (version meta.k8s.io/v1)',
    );
  return { resourceVersion: rv, start: start.replace(/^\//, '').replace(/\0$/, '') };
}

/** Quotes a character as Go does in its JSON errors. */
function quote(byte: number): string {
  if (byte >= 0x20 && byte < 0x7f) return `'${String.fromCharCode(byte)}'`;
  return `'\\u${byte.toString(16).padStart(4, '0')}'`;
}

/** Makes a 410 with a token that continues in the current state. */
export function expiredContinue(position: ContinuePosition): ApiError {
  const text = `{"v":"meta.k8s.io/v1","rv":-1,"start":${JSON.stringify(`${position.start}\u0000`)}}`;
  return new ApiError(
    410,
    'Expired',
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.',
    undefined,
    Buffer.from(text).toString('base64url'),
  );
}
