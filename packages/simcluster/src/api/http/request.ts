import type { IncomingHttpHeaders } from 'node:http';

/** The sender of a request, after authentication and impersonation. */
export interface User {
  readonly name: string;
  readonly groups: readonly string[];
  readonly uid?: string;
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

export interface ApiRequest {
  readonly method: string;
  /** Without the query, still escaped. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly user: User;
  /** Aborts when the client disconnects or the server stops. */
  readonly signal: AbortSignal;
  /** Returns the whole body; may be called repeatedly. */
  body(): Promise<Buffer>;
  /** Returns the body as it arrives, of any length; instead of `body`, and once. */
  chunks(): AsyncIterable<Uint8Array>;
  /** Texts for the response's Warning header. */
  readonly warnings?: string[];
}

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined: no body (204, 304). */
  readonly body: Buffer | string | AsyncIterable<Uint8Array | string> | undefined;
  /** Returns the fields that follow the body, once it has ended. */
  readonly trailers?: () => Readonly<Record<string, string>>;
}

/** Returns a parameter's first value, like Go's url.Values.Get, or ''. */
export function parameter(request: ApiRequest, name: string): string {
  return request.query.get(name) ?? '';
}

/**
 * Reads a boolean of an option type (runtime.Convert_Slice_string_To_bool): absent, `false` in any letter case and `0`
 * are false; everything else, including an empty value, is true.
 */
export function flag(request: ApiRequest, name: string): boolean {
  const value = request.query.get(name);
  return value !== null && value !== '0' && value.toLowerCase() !== 'false';
}
