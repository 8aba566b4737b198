import type { IncomingHttpHeaders } from 'node:http';

/** Who asks, after authentication and impersonation. */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface ApiRequest {
  readonly method: string;
  /** Without the query, still escaped. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly user: User;
  /** Aborted when the client is gone or the server stops. */
  readonly signal: AbortSignal;
  /** The whole body, however often it is asked for. */
  body(): Promise<Buffer>;
  /** What the answer is to warn of, in its Warning header. */
  readonly warnings?: string[];
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: no body at all (204, 304). */
  readonly body: Buffer | string | AsyncIterable<Uint8Array | string> | undefined;
}

/** The last value given wins no fight here: like Go's url.Values.Get, the first counts. */
export function parameter(request: ApiRequest, name: string): string {
  return request.query.get(name) ?? '';
}

/**
 * Booleans of option types (runtime.Convert_Slice_string_To_bool): absent, `false` in any letter case and `0` are
 * false; everything else, the empty value as well, is true.
 */
export function flag(request: ApiRequest, name: string): boolean {
  const value = request.query.get(name);
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}
