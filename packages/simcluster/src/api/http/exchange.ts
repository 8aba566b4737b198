import type { TLSSocket } from 'node:tls';
import { sleep } from '@logtool/kube/src/values/clock.ts';
import { authenticate, impersonate, type PeerCertificate } from '../../access/authenticate.ts';
import { accountOfToken } from '../../access/service-account-token.ts';
import { ApiError } from '../../api-error.ts';
import { changesBody, faultyBody } from '../../faults/body-faults.ts';
import type { Fault } from '../../faults/fault.ts';
import type { FaultList } from '../../faults/fault-list.ts';
import { faultStatus } from '../../faults/fault-reply.ts';
import type { ApiContext } from '../context.ts';
import { handle } from '../handler.ts';
import { errorReply, textReply } from './reply.ts';
import type { ApiRequest, Reply, User } from './request.ts';
import type { RunningRequest, RunningRequests } from './running-requests.ts';
import { cut, type RawRequest, type RawResponse, send } from './send.ts';

export interface ExchangeContext extends Omit<ApiContext, 'expire'> {
  readonly faults: FaultList;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
  /** Fingerprints of client certificates that are no longer valid. */
  readonly refused: ReadonlySet<string>;
  readonly running: RunningRequests;
}

const LOG_PATH = /^\/api\/v1\/namespaces\/[^/]+\/pods\/[^/]+\/log$/;
const ANONYMOUS: User = { name: 'system:anonymous', groups: ['system:unauthenticated'] };

interface Url {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Handles one request, with the faults that apply to it. */
export async function exchange(
  context: ExchangeContext,
  raw: RawRequest,
  response: RawResponse,
): Promise<void> {
  const line = `${raw.method} ${raw.url}`;
  const url = parseUrl(raw.url ?? '/');
  const kind = kindOf(raw.url ?? '', url.path);
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  const signal = AbortSignal.any([gone.signal, context.stopping]);
  const faults = context.faults.take(line, kind === 'watch');
  const expire = new AbortController();
  const end = new AbortController();
  const running = context.running.add({
    line,
    kind,
    expire: () => expire.abort(),
    drop: () => cut(raw, response),
    end: () => end.abort(),
  });
  if (faults.some((fault) => fault.kind === 'expire-watch')) expire.abort();
  const answered = AbortSignal.any([signal, end.signal]);
  try {
    await sendWithFaults(context, raw, response, faults, signal, () =>
      answer({ ...context, expire: expire.signal }, raw, url, answered, faults),
    );
  } catch (error) {
    if (!signal.aborted) throw error;
    cut(raw, response);
  } finally {
    context.running.remove(running);
    gone.abort();
  }
}

function kindOf(url: string, path: string): RunningRequest['kind'] {
  if (/[?&]watch=(?!0|false)/i.test(url) || /^\/apis?\/.*\/?watch\//.test(path)) return 'watch';
  return LOG_PATH.test(path) ? 'log' : 'other';
}

/** Applies delays, and cuts before and after the work; then sends the reply with the faults of its body. */
async function sendWithFaults(
  context: ExchangeContext,
  raw: RawRequest,
  response: RawResponse,
  faults: readonly Fault[],
  signal: AbortSignal,
  work: () => Promise<Reply>,
): Promise<void> {
  for (const { kind, delayMs = 0 } of faults)
    if (kind === 'delay') await sleep(context.clock, delayMs, signal);
  if (faults.some(({ kind }) => kind === 'drop-watch' || kind === 'drop-request')) return cut(raw, response);
  const reply = await work();
  if (faults.some(({ kind }) => kind === 'drop-answer')) return cut(raw, response);
  await send(raw, response, withFaults(reply, faults, context, signal), signal);
}

async function answer(
  context: ExchangeContext & ApiContext,
  raw: RawRequest,
  url: Url,
  signal: AbortSignal,
  faults: readonly Fault[],
): Promise<Reply> {
  const fault = faults.find(({ kind }) => kind === 'status');
  if (fault?.status === 200) return textReply(200, fault.text ?? '');
  let body: Promise<Buffer> | undefined;
  const warnings: string[] = [];
  let request: ApiRequest = {
    method: raw.method ?? 'GET',
    ...url,
    headers: raw.headers,
    user: ANONYMOUS,
    signal,
    body: () => {
      body ??= readBody(raw);
      return body;
    },
    chunks: () => raw as AsyncIterable<Buffer>,
    warnings,
  };
  try {
    if (fault !== undefined) throw faultStatus(fault);
    const accountOf = (token: string) => accountOfToken(context.store, context.clock, token)?.user;
    const user = authenticate(raw.headers, peerCertificate(raw, context.refused), context.tokens, accountOf);
    request = { ...request, user: impersonate(context.store, user, raw.headers) };
    return withWarnings(await handle(context, request), warnings);
  } catch (error) {
    if (error instanceof ApiError) return errorReply(request, error);
    if (signal.aborted) throw error;
    const message = `Internal error occurred: ${error instanceof Error ? error.message : String(error)}`;
    return errorReply(request, new ApiError(500, 'InternalError', message));
  }
}

/** Adds the Warning header of kubernetes.io/blog/2020/09/03/warnings: code 299, agent `-`, and a quoted text. */
function withWarnings(reply: Reply, warnings: readonly string[]): Reply {
  if (warnings.length === 0) return reply;
  const warning = warnings.map((text) => `299 - ${JSON.stringify(text)}`).join(', ');
  return { ...reply, headers: { ...reply.headers, warning } };
}

function parseUrl(url: string): Url {
  const mark = url.indexOf('?');
  if (mark === -1) return { path: url, query: new URLSearchParams() };
  return { path: url.slice(0, mark), query: new URLSearchParams(url.slice(mark + 1)) };
}

const MAX_BODY_BYTES = 4 * 1024 * 1024;

async function readBody(raw: RawRequest): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of raw as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) {
      throw new ApiError(
        413,
        'RequestEntityTooLarge',
        `Request entity too large: limit is ${MAX_BODY_BYTES}`,
      );
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function peerCertificate(raw: RawRequest, refused: ReadonlySet<string>): PeerCertificate | undefined {
  const socket = ('stream' in raw ? raw.stream.session?.socket : raw.socket) as TLSSocket | undefined;
  const certificate = socket?.getPeerCertificate();
  if (socket === undefined || certificate?.subject === undefined) return undefined;
  const { CN, O } = certificate.subject as { CN?: string | string[]; O?: string | string[] };
  const fingerprint = certificate.fingerprint256.replaceAll(':', '').toLowerCase();
  return {
    authorized: socket.authorized && !refused.has(fingerprint),
    commonName: [CN ?? ''].flat()[0] ?? '',
    organizations: O === undefined ? [] : [O].flat(),
    fingerprint,
  };
}

function withFaults(
  reply: Reply,
  faults: readonly Fault[],
  { clock }: ExchangeContext,
  signal: AbortSignal,
): Reply {
  const { body } = reply;
  const changing = faults.filter(changesBody);
  if (changing.length === 0 || body === undefined) return reply;
  const length = typeof body === 'string' || body instanceof Uint8Array ? Buffer.byteLength(body) : undefined;
  const placed = changing.map((fault) =>
    fault.kind === 'truncate-json' && fault.afterBytes === undefined && length !== undefined
      ? { ...fault, afterBytes: length >> 1 }
      : fault,
  );
  return { ...reply, body: faultyBody(chunksOf(body), placed, { clock, signal }) };
}

async function* chunksOf(body: NonNullable<Reply['body']>): AsyncIterable<Uint8Array> {
  if (typeof body === 'string' || body instanceof Uint8Array) {
    yield Buffer.from(body);
    return;
  }
  for await (const chunk of body) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
}
