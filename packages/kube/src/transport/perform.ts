import { answerStopped, KubeError } from '../errors.ts';
import { type Attempt, retry } from '../values/retry.ts';
import { type GoodAnswer, openAnswer } from './answer.ts';
import { bufferChunks, plainBody } from './buffer-body.ts';
import { decodeJson, TRUNCATED } from './decode-json.ts';
import { decodeListBody, type ListBody } from './list-body.ts';
import type { Wire, WireRequest } from './wire.ts';

const REPEAT_POLICY = { firstMs: 250, maxMs: 4_000, maxTries: 5 };
/** If a server asks for a longer wait than this, the client reports it to the user instead of waiting. */
const MAX_RETRY_AFTER_MS = 30_000;

/**
 * Which failures to retry:
 * - `safe`: all temporary ones (429, 5xx, resets), for a request that can be repeated without harm;
 * - `refused-only`: only if the server reports that it did nothing (429). For writes, and for streams, whose readers
 *   have their own rules for reconnecting.
 */
export type RepeatRule = 'safe' | 'refused-only';

/** Sends a request whose response body is a stream. */
export function performStream(wire: Wire, request: WireRequest): Promise<GoodAnswer> {
  return repeat(wire, request, 'refused-only', () => openAnswer(wire, request));
}

export interface BufferedOptions {
  readonly rule: RepeatRule;
  /** Maximum size of the body, decompressed; the client rejects a larger response. */
  readonly limitBytes: number;
}

/** Reads a whole response as JSON; also retries if the body was cut, in whatever way. */
export function performJson(wire: Wire, request: WireRequest, options: BufferedOptions): Promise<unknown> {
  return repeat(wire, request, options.rule, async () => {
    const bytes = await readAnswer(wire, request, options.limitBytes, bufferChunks);
    return decodeJson(bytes, request.subject);
  });
}

/** Like `performJson`, for a list, whose items it decodes while they arrive. */
export function performList<T>(
  wire: Wire,
  request: WireRequest,
  options: BufferedOptions,
  decodeItem: (item: unknown) => T,
): Promise<ListBody<T>> {
  return repeat(wire, request, options.rule, () =>
    readAnswer(wire, request, options.limitBytes, (body) =>
      decodeListBody(body, request.subject, decodeItem),
    ),
  );
}

/** For responses whose body has no meaning: reads and discards it. */
export async function performAndForget(
  wire: Wire,
  request: WireRequest,
  options: BufferedOptions,
): Promise<void> {
  await repeat(wire, request, options.rule, () =>
    readAnswer(wire, request, options.limitBytes, bufferChunks),
  );
}

/** Passes the decompressed body of a 2xx response to `read`. */
async function readAnswer<T>(
  wire: Wire,
  request: WireRequest,
  limitBytes: number,
  read: (body: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const answer = await openAnswer(wire, request);
  const stall = stallGuard(wire, answer, request);
  try {
    return await read(
      plainBody(stall.body, { encoding: answer.encoding, limitBytes, request: request.subject }),
    );
  } finally {
    stall.stop();
  }
}

/** Abandons a body that delivered nothing for the wire's answerTimeoutMs. */
function stallGuard(wire: Wire, answer: GoodAnswer, request: WireRequest) {
  const expire = () => answer.body.abandon(answerStopped(wire.answerTimeoutMs, request.subject));
  let timer = setTimeout(expire, wire.answerTimeoutMs);
  async function* watched(): AsyncGenerator<Uint8Array> {
    for await (const chunk of answer.body) {
      clearTimeout(timer);
      yield chunk;
      timer = setTimeout(expire, wire.answerTimeoutMs);
    }
  }
  return { body: watched(), stop: () => clearTimeout(timer) };
}

function repeat<T>(
  { clock, random }: Wire,
  { signal }: WireRequest,
  rule: RepeatRule,
  perform: () => Promise<T>,
): Promise<T> {
  const attempt = async (): Promise<Attempt<T>> => {
    try {
      return { state: 'done', value: await perform() };
    } catch (error) {
      if (signal?.aborted) return { state: 'fatal', error: signal.reason };
      if (!(error instanceof KubeError) || !mayPass(error, rule)) return { state: 'fatal', error };
      const { retryAfterMs = 0 } = error;
      return { state: retryAfterMs > MAX_RETRY_AFTER_MS ? 'fatal' : 'failed', error, afterMs: retryAfterMs };
    }
  };
  return retry(REPEAT_POLICY, attempt, { clock, signal, random });
}

/** Whether the same request may soon succeed. */
function mayPass(error: KubeError, rule: RepeatRule): boolean {
  if (error.kind === 'too-many-requests') return true;
  if (rule !== 'safe') return false;
  if (error.code === TRUNCATED) return true;
  if (error.kind === 'connection') return error.code === 'ECONNRESET' || error.code === 'EPIPE';
  return error.kind === 'server' && error.status !== 501 && error.status !== 505;
}
