import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { askedBy } from '../../agent-api/front-proxy/asked-by.ts';
import { type AnyRequest, type AnyResponse, cut, sendStatus } from '../../agent-api/http/answers.ts';
import { type HttpsOptions, type ServedHttps, serveHttps } from '../../agent-api/http/https-server.ts';
import type { AccessReviews, Refusal } from '../../agent-api/review/access-reviews.ts';
import { untilRefused } from '../../agent-api/review/until-refused.ts';
import { fileNotReadable, internalError } from '../../agent-api/status/log-status.ts';
import type { Status } from '../../agent-api/status/status.ts';
import { UnreadableFile } from '../files/unreadable-file.ts';
import { StampIndex } from '../index/stamp-index.ts';
import type { Counted } from '../list/minute-counts.ts';
import { NodeRuns } from '../list/node-runs.ts';
import { runsBody } from '../list/runs-body.ts';
import { ScanSlots } from '../search/scan-slots.ts';
import { type AgentAccess, type AgentAnswer, answerRequest, type RefusedBecause } from './answer-request.ts';
import type { LogReading } from './pod-log.ts';

/** What the agent's log shows. */
export type AgentReport =
  | RefusedBecause
  /** Reading failed, before or (`isCut`) after the answer began. */
  | { readonly code: 'read-failed'; readonly error: unknown; readonly isCut: boolean }
  /** The system does not report changes of a folder, so new lines of a follow arrive up to a second later. */
  | { readonly code: 'unwatched'; readonly error: unknown }
  /** A caller lost its permission while it read. */
  | { readonly code: 'stream-ended'; readonly problem: Refusal['problem']; readonly cause?: unknown };

export interface AgentOptions
  extends Pick<AgentAccess, 'trust'>,
    Omit<HttpsOptions, 'answer'>,
    Omit<LogReading, 'signal' | 'onUnwatched' | 'stamps' | 'scans'> {
  readonly reviews: Pick<AccessReviews, 'refusalOf' | 'isNamespaceAllowed'>;
  /** What is counted of the lines of all runs, for their list; undefined: nothing. */
  readonly activity?: Counted | undefined;
  /** How many searches and counts run at the same time. */
  readonly searches?: number | undefined;
  readonly report: (report: AgentReport) => void;
}

/** The options, with what all requests share. */
type Serving = AgentOptions & AgentAccess & Pick<LogReading, 'stamps' | 'scans'>;

/** Serves the logs of a node over HTTPS. Throws the system's error if it cannot listen. */
export function serveAgent(options: AgentOptions): Promise<ServedHttps> {
  const { root, clock, reviews } = options;
  const node = new NodeRuns(root, clock, options.activity);
  const isAllowed = (namespace: string) => reviews.isNamespaceAllowed(namespace);
  const listRuns = (signal: AbortSignal) => runsBody(node, isAllowed, { clock, signal });
  const serving = { ...options, listRuns, stamps: new StampIndex(), scans: new ScanSlots(options.searches) };
  return serveHttps({ ...options, answer: (request, response) => void answer(request, response, serving) });
}

/** Answers one request; whatever fails ends only this one. */
async function answer(request: AnyRequest, response: AnyResponse, options: Serving): Promise<void> {
  const left = new AbortController();
  response.once('close', () => left.abort());
  try {
    await answerOrThrow(request, response, options, left.signal);
  } catch (error) {
    // The caller went, or the reason to cut it off was reported.
    if (left.signal.aborted || response.headersSent) return;
    options.report({ code: 'read-failed', error, isCut: false });
    sendStatus(response, statusOf(error));
  }
}

async function answerOrThrow(
  request: AnyRequest,
  response: AnyResponse,
  options: Serving,
  left: AbortSignal,
): Promise<void> {
  const { method = '', url = '' } = request;
  const asked = { method, url, ...askedBy(request) };
  const { root, clock, stamps, scans, maxScanBytes, report } = options;
  const onUnwatched = (error: unknown) => report({ code: 'unwatched', error });
  const reading = { root, clock, stamps, scans, maxScanBytes, signal: left, onUnwatched };
  const answered = await answerRequest(asked, options, reading);
  if ('status' in answered) {
    if (answered.because !== undefined) options.report(answered.because);
    return sendStatus(response, answered.status);
  }
  await sendBody(response, answered, options, left);
}

async function sendBody(
  response: AnyResponse,
  { body, failureText, refusalOf }: Extract<AgentAnswer, { readonly body: unknown }>,
  { clock, report }: AgentOptions,
  left: AbortSignal,
): Promise<void> {
  const chunks = body[Symbol.asyncIterator]();
  // Most failures show before the first bytes, or before a follow is open: then there is a status to send.
  const first = await chunks.next();
  response.writeHead(200, { 'content-type': 'text/plain' });
  const ending = new Ending(failureText, () => cut(response));
  const onFailure = (error: unknown) => {
    if (left.aborted) throw error;
    report({ code: 'read-failed', error, isCut: true });
    ending.fail(statusOf(error));
    if (failureText === undefined) throw error;
  };
  const over = new AbortController();
  const ended = untilRefused(refusalOf, clock, AbortSignal.any([left, over.signal])).then(
    ({ status, problem, cause }) => {
      report({ code: 'stream-ended', problem, cause });
      ending.fail(status);
    },
    // The answer is over: nobody has to be asked again.
    () => undefined,
  );
  try {
    await pipeline(Readable.from(withFirst(first, chunks, ending, onFailure)), response);
  } finally {
    over.abort();
    await ended;
  }
}

/** How an answer ends before its end: with a text, or without one by cutting it. */
class Ending {
  readonly #textOf: ((status: Status) => Uint8Array) | undefined;
  readonly #cut: () => void;
  /** The last bytes of the answer, once it has failed. */
  text: Uint8Array | undefined;

  constructor(textOf: ((status: Status) => Uint8Array) | undefined, cutNow: () => void) {
    this.#textOf = textOf;
    this.#cut = cutNow;
  }

  fail(status: Status): void {
    if (this.#textOf === undefined) this.#cut();
    else this.text ??= this.#textOf(status);
  }
}

async function* withFirst(
  first: IteratorResult<Uint8Array, unknown>,
  rest: AsyncIterator<Uint8Array, unknown>,
  ending: Ending,
  onFailure: (error: unknown) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for (let step = first; step.done !== true && ending.text === undefined; step = await rest.next())
      yield step.value;
  } catch (error) {
    onFailure(error);
  } finally {
    await rest.return?.();
  }
  if (ending.text !== undefined) yield ending.text;
}

function statusOf(error: unknown): Status {
  return error instanceof UnreadableFile ? fileNotReadable(error.file, error.because) : internalError();
}
