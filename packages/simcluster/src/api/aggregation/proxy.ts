import { pipeline, type Readable } from 'node:stream';
import { constants, createGunzip } from 'node:zlib';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { Store } from '../../store/store.ts';
import { textReply } from '../http/reply.ts';
import { type ApiRequest, parameter, type Reply } from '../http/request.ts';
import type { RequestInfo } from '../http/request-info.ts';
import type { ApiService } from './api-service.ts';
import { type Target, Unreachable } from './connect.ts';
import { endpointsOf } from './endpoint.ts';
import { forwardedHeaders, passedHeaders } from './forwarded-headers.ts';
import { hostPort } from './network.ts';
import type { HeaderFields, UpstreamResponse, Upstreams } from './upstream.ts';

export interface ProxyContext {
  readonly store: Store;
  readonly clock: Clock;
  readonly upstreams: Upstreams;
}

/** These subresources have no time limit (k8s.io/apiserver: BasicLongRunningRequestCheck). */
const LONG_RUNNING: readonly string[] = ['attach', 'exec', 'log', 'portforward', 'proxy'];
const REQUEST_LIMIT_MS = 60_000;
/** The server listens on loopback only. */
export const CLIENT_ADDRESS = '127.0.0.1';

const TIMED_OUT: Reply = {
  status: 504,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: '{"metadata":{},"status":"Failure","message":"Timeout: request did not complete within the allotted timeout","reason":"Timeout","details":{},"code":504}\n',
};

/** Returns the server to ask next of a service's endpoints; undefined if it has none. */
export function targetOf(store: Store, apiService: ApiService, turn: number): Target | undefined {
  const { service, caBundle, insecure } = apiService;
  if (service === undefined) return undefined;
  const endpoints = endpointsOf(store, service);
  if (!('length' in endpoints)) return undefined;
  const endpoint = endpoints[turn % endpoints.length];
  if (endpoint === undefined) return undefined;
  const serverName = `${service.name}.${service.namespace}.svc`;
  return { ...endpoint, serverName, ca: caBundle, insecure };
}

/**
 * Returns the response of an extension API server to a request that RBAC has allowed (kube-aggregator: handler_proxy).
 * It streams as fast as the client reads; a request that is not long-running is cut after 60 seconds, or its own shorter
 * `timeout`.
 */
export async function proxied(
  { store, clock, upstreams }: ProxyContext,
  request: ApiRequest,
  info: RequestInfo,
  apiService: ApiService,
  turn: number,
): Promise<Reply> {
  const target = apiService.available ? targetOf(store, apiService, turn) : undefined;
  if (target === undefined) return textReply(503, 'service unavailable\n');
  const late = new AbortController();
  const cancel = isLongRunning(info) ? () => undefined : clock.after(limitMs(request), () => late.abort());
  request.signal.addEventListener('abort', cancel, { once: true });
  const host = hostPort(target.address, target.port);
  const to = { host, path: request.path, clientAddress: CLIENT_ADDRESS };
  try {
    return await forward(upstreams, request, target, {
      path: request.path + sortedQuery(request.query),
      headers: forwardedHeaders(request.headers, request.user, to),
      signal: AbortSignal.any([request.signal, late.signal]),
      done: cancel,
    });
  } catch (error) {
    cancel();
    if (late.signal.aborted) return TIMED_OUT;
    if (!(error instanceof Unreachable)) throw error;
    return textReply(503, `error trying to reach service: ${error.message}\n`);
  }
}

/** What another server is asked. */
export interface Forwarded {
  readonly path: string;
  readonly headers: HeaderFields;
  readonly host?: string;
  readonly signal: AbortSignal;
  /** Called when the response has ended, however it did. */
  readonly done: () => void;
}

/** Asks another server, and returns its response while it arrives. Throws Unreachable. */
export async function forward(
  upstreams: Upstreams,
  request: ApiRequest,
  target: Target,
  { headers, done, ...sent }: Forwarded,
): Promise<Reply> {
  const { method } = request;
  const unpacks = asksForGzip(request);
  const response = await upstreams.ask(target, {
    ...sent,
    method,
    headers: unpacks ? { ...headers, 'accept-encoding': 'gzip' } : headers,
    body: ['GET', 'HEAD', 'OPTIONS'].includes(method) ? undefined : request.chunks(),
  });
  return passedReply(response, unpacks, done);
}

function isLongRunning({ verb, subresource }: RequestInfo): boolean {
  return verb === 'watch' || LONG_RUNNING.includes(subresource);
}

/** The parameter `timeout` may only shorten the limit. */
function limitMs(request: ApiRequest): number {
  const given = goDurationMs(parameter(request, 'timeout'));
  return given > 0 ? Math.min(given, REQUEST_LIMIT_MS) : REQUEST_LIMIT_MS;
}

const UNIT_MS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** Reads `5s` or `1m0s`; 0 for anything else. */
function goDurationMs(text: string): number {
  if (!/^(?:\d+(?:\.\d+)?(?:h|ms|m|s))+$/.test(text)) return 0;
  const segments = [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s)/g)];
  return segments.reduce((sum, [, count, unit = '']) => sum + Number(count) * (UNIT_MS[unit] ?? 0), 0);
}

/** Go's client asks for gzip by itself, and then unpacks it, unless its user asked or wants a range. */
function asksForGzip({ method, headers }: ApiRequest): boolean {
  return headers['accept-encoding'] === undefined && headers.range === undefined && method !== 'HEAD';
}

/** Encodes a query as Go does (net/url: Values.Encode): sorted by key, with `+` for a blank. */
export function sortedQuery(query: URLSearchParams): string {
  const keys = [...new Set(query.keys())].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  if (keys.length === 0) return '';
  const pairs = keys.flatMap((key) => query.getAll(key).map((value) => `${escaped(key)}=${escaped(value)}`));
  return `?${pairs.join('&')}`;
}

function escaped(text: string): string {
  return encodeURIComponent(text)
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

function passedReply(response: UpstreamResponse, unpacks: boolean, done: () => void): Reply {
  const headers = passedHeaders(response.headers);
  const packed = unpacks && headers['content-encoding'] === 'gzip';
  if (packed) {
    delete headers['content-encoding'];
    delete headers['content-length'];
  }
  const { status } = response;
  if (status === 204 || status === 304) return { status, headers, body: undefined };
  const body = passedBody(response, packed ? unpacked(response.body) : response.body, done);
  return { status, headers, body, trailers: () => response.trailers() };
}

/** Unpacks what has arrived, without waiting for more. */
function unpacked(body: Readable): Readable {
  const gunzip = createGunzip({ flush: constants.Z_SYNC_FLUSH });
  pipeline(body, gunzip, () => undefined);
  return gunzip;
}

async function* passedBody(
  response: UpstreamResponse,
  body: Readable,
  done: () => void,
): AsyncIterable<Uint8Array> {
  try {
    for await (const chunk of body) yield chunk as Uint8Array;
    if (!response.whole()) throw new Unreachable('unexpected EOF');
  } finally {
    done();
  }
}
