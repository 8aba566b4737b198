import { request as httpRequest } from 'node:http';
import { ClusterAgent } from '../connection/cluster-agent.ts';
import { openSocket } from '../connection/open-socket.ts';
import { routeOutside } from '../connection/route.ts';
import { oneContext } from '../connection/tls-contexts.ts';
import { proxyAuthorities, secureContext } from '../connection/tls-options.ts';
import type { Clock } from '../values/clock.ts';
import type { CodedError } from '../values/coded-error.ts';
import { kubeFailure } from '../values/failures.ts';
import { ProblemError, type Why, whyOf } from '../values/problems.ts';

export interface RefreshRequest {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly refreshToken: string;
  /** PEM of the issuer's own authority, in addition to the public ones. */
  readonly ca: Buffer | undefined;
  /** The environment, which names the proxy and the machine's authorities. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

export interface Tokens {
  readonly idToken: string;
  /** Set if the issuer returned a new one; the old one may then be invalid. */
  readonly refreshToken: string | undefined;
}

const ANSWER_LIMIT_BYTES = 1024 * 1024;
const ANSWER_TIMEOUT_MS = 30_000;

/**
 * Requests new tokens with a refresh-token (OpenID Connect Core section 12); finds the endpoint by discovery. Sends the
 * client secret by HTTP basic authentication first, then in the body, because issuers differ (RFC 6749 section 2.3.1).
 * Rejects with CodedError `oidc-refresh-failed`, or the signal's reason.
 */
export async function refreshTokens(request: RefreshRequest, signal: AbortSignal): Promise<Tokens> {
  const { issuer } = request;
  const discovery = await call(
    `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
    undefined,
    {},
  );
  const endpoint = textOf(discovery.document, 'token_endpoint');
  if (discovery.status !== 200 || endpoint === undefined) {
    throw refreshFailed(issuer, { code: 'discovery-unreadable', data: { status: discovery.status } });
  }
  const form = { grant_type: 'refresh_token', refresh_token: request.refreshToken };
  const login = [request.clientId, request.clientSecret].map(encodeURIComponent).join(':');
  const basic = { Authorization: `Basic ${Buffer.from(login).toString('base64')}` };
  let answer = await call(endpoint, form, basic);
  if (answer.status >= 400 && answer.status < 500) {
    const secret = request.clientSecret === '' ? {} : { client_secret: request.clientSecret };
    answer = await call(endpoint, { ...form, client_id: request.clientId, ...secret }, {});
  }
  const idToken = textOf(answer.document, 'id_token');
  if (answer.status !== 200) {
    const description = textOf(answer.document, 'error_description') ?? textOf(answer.document, 'error');
    const data = { status: answer.status, description: description?.slice(0, 300) };
    throw refreshFailed(issuer, { code: 'issuer-answered', data });
  }
  if (idToken === undefined) throw refreshFailed(issuer, { code: 'no-id-token', data: {} });
  return { idToken, refreshToken: textOf(answer.document, 'refresh_token') };

  function call(url: string, body: Record<string, string> | undefined, headers: Record<string, string>) {
    return fetchJson(request, url, body, headers, signal);
  }
}

interface JsonAnswer {
  readonly status: number;
  readonly document: unknown;
}

async function fetchJson(
  request: RefreshRequest,
  address: string,
  form: Record<string, string> | undefined,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<JsonAnswer> {
  const { issuer, ca, env, clock } = request;
  if (!URL.canParse(address) || !/^https?:/.test(address))
    throw refreshFailed(issuer, { code: 'not-a-url', data: { address } });
  const url = new URL(address);
  const route = await routeOutside(url, ca, env, clock);
  const context = route.tls
    ? oneContext(secureContext(proxyAuthorities(route.trust), undefined, issuer))
    : undefined;
  const agent = new ClusterAgent(route.tls, (end) => openSocket(route, context, ['http/1.1'], end));
  try {
    return await exchangeJson(agent, url, request, form, headers, signal);
  } finally {
    agent.destroy();
  }
}

function exchangeJson(
  agent: ClusterAgent,
  url: URL,
  { issuer, clock }: RefreshRequest,
  form: Record<string, string> | undefined,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<JsonAnswer> {
  return new Promise((resolve, reject) => {
    const body = form === undefined ? undefined : new URLSearchParams(form).toString();
    const options = {
      agent,
      protocol: agent.protocol,
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
        ...headers,
      },
      signal,
    };
    const sent = httpRequest(url, options, (response) => {
      const chunks: Buffer[] = [];
      let length = 0;
      response.on('data', (chunk: Buffer) => {
        length += chunk.length;
        if (length > ANSWER_LIMIT_BYTES)
          response.destroy(new ProblemError({ code: 'issuer-answer-too-long', data: {} }));
        else chunks.push(chunk);
      });
      response.once('error', fail);
      response.once('end', () => {
        cancelTimer();
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, document: parsed(text) });
      });
    });
    const cancelTimer = clock.after(ANSWER_TIMEOUT_MS, () =>
      sent.destroy(new ProblemError({ code: 'issuer-silent', data: { limitMs: ANSWER_TIMEOUT_MS } })),
    );
    sent.once('error', fail);
    sent.end(body);

    function fail(error: Error): void {
      cancelTimer();
      reject(signal.aborted ? signal.reason : refreshFailed(issuer, whyOf(error), error));
    }
  });
}

/** Parses JSON; returns undefined for anything else, such as a proxy's error page, whose status is enough. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textOf(document: unknown, name: string): string | undefined {
  if (typeof document !== 'object' || document === null || !Object.hasOwn(document, name)) return undefined;
  const value = (document as Record<string, unknown>)[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function refreshFailed(issuer: string, why: Why, cause?: unknown): CodedError {
  return kubeFailure('oidc-refresh-failed', { issuer, why }, { cause });
}
