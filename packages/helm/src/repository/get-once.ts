import { request as httpRequest, type IncomingMessage } from 'node:http';
import { ClusterAgent } from '@logtool/kube/src/connection/cluster-agent.ts';
import { openSocket } from '@logtool/kube/src/connection/open-socket.ts';
import type { ProxyServer } from '@logtool/kube/src/connection/proxy.ts';
import { type Route, routeOutside } from '@logtool/kube/src/connection/route.ts';
import { oneContext } from '@logtool/kube/src/connection/tls-contexts.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { Outage } from '../failures.ts';
import { contextFor, type Identity } from './server-trust.ts';

/** Default time that a server may be silent, and maximum time for a whole response. */
const SILENCE_LIMIT_MS = 30_000;
const ANSWER_LIMIT_MS = 600_000;

export interface GetOptions {
  readonly identity: Identity;
  /** Whether the server is the repository's own: only that one receives the client certificate. */
  readonly isOwn: boolean;
  /** For the repository's own server: `Basic ...`. */
  readonly authorization: string | undefined;
  readonly accept: string;
  readonly userAgent: string;
  readonly limitBytes: number;
  /** Time that the server may be silent, including name resolution and connecting. Default 30 s. */
  readonly silenceLimitMs?: number | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly location: string | undefined;
  /** The body of a response with status 200, else empty. */
  readonly body: Uint8Array;
}

/** The reason why a request was abandoned. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
  readonly outage: Outage;

  constructor(outage: Outage) {
    super(JSON.stringify(outage));
    this.outage = outage;
  }
}

/**
 * Sends one GET over HTTP/1.1, through the proxy of the environment. Rejects with an AnswerError if the server is
 * silent for too long, needs more than 10 minutes in all, sends more than `limitBytes` (counted while receiving) or
 * stops before the end; with the error of the system or of TLS, or with the signal's reason.
 */
export async function getOnce(url: URL, options: GetOptions): Promise<Answer> {
  const { identity, isOwn, env, clock } = options;
  const outside = await routeOutside(url, undefined, env, clock);
  const trust = { ...outside.trust, ca: identity.ca, insecure: identity.insecure };
  const context = outside.tls ? oneContext(contextFor(identity, outside.trust.publicCa, isOwn)) : undefined;
  const relay = outside.tls ? undefined : relayOf(outside.proxy);
  const route = relay === undefined ? { ...outside, trust } : { ...outside, ...relay.route };
  const agent = new ClusterAgent(outside.tls, (signal) => openSocket(route, context, ['http/1.1'], signal));
  try {
    return await exchange(agent, url, options, relay?.authorization);
  } finally {
    agent.destroy();
  }
}

interface Relay {
  readonly route: Pick<Route, 'host' | 'port' | 'proxy'>;
  /** For the proxy; empty if it needs none. */
  readonly authorization: string;
}

/**
 * Sends http:// requests to an HTTP proxy directly instead of through a tunnel, which many proxies refuse for such
 * ports.
 */
function relayOf(proxy: ProxyServer | undefined): Relay | undefined {
  if (proxy?.kind !== 'http') return undefined;
  const { host, port, username, password } = proxy;
  const login = Buffer.from(`${username}:${password}`, 'utf8').toString('base64');
  return { route: { host, port, proxy: undefined }, authorization: username === '' ? '' : `Basic ${login}` };
}

/**
 * `relay`: authorization for a proxy that receives the request, which needs the whole address (RFC 9112 section 3.2.2).
 */
function exchange(
  agent: ClusterAgent,
  url: URL,
  options: GetOptions,
  relay: string | undefined,
): Promise<Answer> {
  const { clock, signal, silenceLimitMs = SILENCE_LIMIT_MS } = options;
  return new Promise((resolve, reject) => {
    const headers = {
      Accept: options.accept,
      'User-Agent': options.userAgent,
      ...(options.authorization === undefined ? {} : { Authorization: options.authorization }),
      ...(relay ? { 'Proxy-Authorization': relay } : {}),
    };
    const plain = plainUrl(url);
    const path = relay === undefined ? {} : { path: plain.href };
    const request = httpRequest(plain, { agent, protocol: agent.protocol, headers, ...path });
    const onAbort = () => fail(signal?.reason);
    const give = (answer: Answer) => {
      cleanUp();
      resolve(answer);
    };
    const fail = (error: unknown) => {
      cleanUp();
      reject(error);
      request.destroy();
    };
    const silent = () => fail(new AnswerError({ problem: 'silent', afterMs: silenceLimitMs }));
    let cancelSilence = clock.after(silenceLimitMs, silent);
    const cancelLimit = clock.after(ANSWER_LIMIT_MS, () =>
      fail(new AnswerError({ problem: 'unfinished', afterMs: ANSWER_LIMIT_MS })),
    );
    const heard = () => {
      cancelSilence();
      cancelSilence = clock.after(silenceLimitMs, silent);
    };
    const cleanUp = () => {
      cancelSilence();
      cancelLimit();
      signal?.removeEventListener('abort', onAbort);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    // The listener stays: an abandoned request may still report an error.
    request.on('error', fail);
    request.on('response', (response) => {
      heard();
      readAnswer(response, options.limitBytes, heard, give, fail);
    });
    if (signal?.aborted) onAbort();
    else request.end();
  });
}

function readAnswer(
  response: IncomingMessage,
  limitBytes: number,
  heard: () => void,
  give: (answer: Answer) => void,
  fail: (error: unknown) => void,
): void {
  const { statusCode = 0, statusMessage = '' } = response;
  const { location } = response.headers;
  const answer = { status: statusCode, statusText: statusMessage, location };
  response.on('error', () => fail(new AnswerError({ problem: 'cut' })));
  if (statusCode !== 200) {
    give({ ...answer, body: new Uint8Array() });
    return;
  }
  const tooLong = () => fail(new AnswerError({ problem: 'too-large', limitMiB: limitBytes / 1024 / 1024 }));
  if (Number(response.headers['content-length']) > limitBytes) {
    tooLong();
    return;
  }
  const chunks: Buffer[] = [];
  let length = 0;
  response.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > limitBytes) return tooLong();
    chunks.push(chunk);
    heard();
  });
  response.on('end', () => {
    if (response.complete) give({ ...answer, body: Buffer.concat(chunks) });
  });
  response.on('close', () => {
    if (!response.complete) fail(new AnswerError({ problem: 'cut' }));
  });
}

/** Removes user and password, which Node would turn into an Authorization header. */
function plainUrl(url: URL): URL {
  const plain = new URL(url.href);
  plain.username = '';
  plain.password = '';
  plain.hash = '';
  return plain;
}
