import type { ApiClient, ApiError, ApiOptions, ArgumentsOf } from '../../contract/client.ts';
import type { RouteName } from '../../contract/routes.ts';
import { readLines } from './read-lines.ts';
import { request, requestJson, unreachable } from './request.ts';

interface Options extends ApiOptions {
  /** Fetches a new token to replace `used`; true: retry with the new token. */
  renew?(used: string): Promise<boolean>;
}

interface AnyArguments {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/**
 * Creates the typed client of the dashboard's contract. If the server rejects the page token (because it
 * restarted), the client retries the request once with a fresh token.
 */
export function createClient(options: Options): ApiClient {
  const send: typeof fetch = options.fetch ?? ((...args) => fetch(...args));

  const makeInit = (name: RouteName, args: AnyArguments, token: string): RequestInit => {
    const headers: Record<string, string> = { 'x-logtool-token': token };
    const init: RequestInit = { method: name.split(' ')[0] ?? '', headers };
    if (args.signal !== undefined) init.signal = args.signal;
    if (args.body !== undefined) {
      headers['content-type'] = 'application/json';
      init.body = JSON.stringify(args.body);
    }
    return init;
  };

  /** Runs a request, and retries it once if the server rejected the token. */
  const withToken = async <T extends { readonly ok: boolean; readonly error?: ApiError }>(
    run: (token: string) => Promise<T>,
  ): Promise<T> => {
    const used = options.token();
    const first = await run(used);
    if (first.ok || first.error === undefined || !isTokenFailure(first.error)) return first;
    return (await options.renew?.(used)) === true ? run(options.token()) : first;
  };

  return {
    url: (name, args) => urlOf(options.basePath, name, args),
    async ask(name, args) {
      const url = urlOf(options.basePath, name, args);
      const result = await withToken((token) =>
        requestJson(send, url, makeInit(name, args as AnyArguments, token)),
      );
      if (!result.ok) throw result.error;
      return result.body as never;
    },

    async *stream(name, args) {
      const url = urlOf(options.basePath, name, args);
      const result = await withToken((token) =>
        request(send, url, makeInit(name, args as AnyArguments, token)),
      );
      if (!result.ok) throw result.error;
      const body = result.body.body;
      if (body === null) return;
      try {
        yield* readLines(body) as AsyncGenerator<never[]>;
      } catch (cause) {
        args.signal.throwIfAborted();
        throw unreachable(cause);
      }
    },
  };
}

/**
 * If the cluster denies a permission, the error names it; any other 401 or 403 concerns this page's token.
 */
function isTokenFailure({ status, error }: ApiError): boolean {
  return (status === 401 || status === 403) && error.denied === undefined;
}

function urlOf<N extends RouteName>(basePath: string, name: N, args: ArgumentsOf<N>): string {
  const { params = {}, query = {} } = args as AnyArguments;
  const path = name
    .slice(name.indexOf('/'))
    .replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(params[key] ?? ''));
  const pairs = Object.entries(query).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const text = pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
  return `${basePath}/api/v1${path}${text}`;
}
