import { KubeError } from '../errors.ts';
import { type Attempt, retry } from '../values/retry.ts';
import { type GoodAnswer, openAnswer } from './answer.ts';
import { bufferChunks, plainBody } from './buffer-body.ts';
import { decodeJson, TRUNCATED } from './decode-json.ts';
import { decodeListBody, type ListBody } from './list-body.ts';
import type { Wire, WireRequest } from './wire.ts';

const REPEAT_POLICY = { firstMs: 250, maxMs: 4_000, maxTries: 5 };
/** If a server asks for more than this, report it to the user instead of waiting. */
const MAX_RETRY_AFTER_MS = 30_000;

/**
 * Which failures are repeated:
 * - `safe`: all that may pass, of a request that may be repeated without harm (429, 5xx, resets);
 * - `refused-only`: only if the server says that it did nothing (429). For writes, and for streams, whose readers
 *   reconnect by rules of their own.
 */
export type RepeatRule = 'safe' | 'refused-only';

/** An answer whose body is a stream. */
export function performStream(wire: Wire, request: WireRequest): Promise<GoodAnswer> {
  return repeat(wire, request, 'refused-only', () => openAnswer(wire, request));
}

export interface BufferedOptions {
  readonly rule: RepeatRule;
  /** Size of the body, decompressed, above which the answer is refused. */
  readonly limitBytes: number;
}

/** The JSON of an answer that is read whole; a cut in the middle is repeated as well, however it was made. */
export function performJson(wire: Wire, request: WireRequest, options: BufferedOptions): Promise<unknown> {
  return repeat(wire, request, options.rule, async () => {
    const bytes = await readAnswer(wire, request, options.limitBytes, bufferChunks);
    return decodeJson(bytes, request.subject);
  });
}

/** As `performJson`, for a list, whose items are decoded while it arrives. */
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

/** For answers whose body has no meaning: they are read and forgotten. */
export async function performAndForget(
  wire: Wire,
  request: WireRequest,
  options: BufferedOptions,
): Promise<void> {
  await repeat(wire, request, options.rule, () =>
    readAnswer(wire, request, options.limitBytes, bufferChunks),
  );
}

/** Hands the body of a good answer, decompressed, to `read`. */
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

/** Gives up a body that sent nothing for the wire's answerTimeoutMs. */
function stallGuard(wire: Wire, answer: GoodAnswer, request: WireRequest) {
  const expire = () => {
    answer.body.abandon(
      new KubeError({
        kind: 'connection',
        problem: { code: 'answer-stopped', data: { afterMs: wire.answerTimeoutMs } },
        code: 'ERR_NO_ANSWER',
        request: request.subject,
      }),
    );
  };
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

/** Whether the same request may have another answer soon. */
function mayPass(error: KubeError, rule: RepeatRule): boolean {
  if (error.kind === 'too-many-requests') return true;
  if (rule !== 'safe') return false;
  if (error.code === TRUNCATED) return true;
  if (error.kind === 'connection') return error.code === 'ECONNRESET' || error.code === 'EPIPE';
  return error.kind === 'server' && error.status !== 501 && error.status !== 505;
}
