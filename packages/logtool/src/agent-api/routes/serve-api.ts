import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  AGENT_CERTIFICATE_PATH,
  type IssueAnswer,
  type IssueOptions,
  type IssueProblem,
  issueToAgent,
} from '../certificates/issue-to-agent.ts';
import { askedBy } from '../front-proxy/asked-by.ts';
import {
  type AnyRequest,
  type AnyResponse,
  cut,
  reportingFailure,
  sendHead,
  sendJson,
  sendStatus,
} from '../http/answers.ts';
import { type HttpsOptions, type ServedHttps, serveHttps } from '../http/https-server.ts';
import type { Refusal } from '../review/access-reviews.ts';
import type { AgentIdentity } from '../review/agent-token.ts';
import { untilRefused } from '../review/until-refused.ts';
import { serverError } from '../status/status.ts';
import { type ApiAnswer, type ApiContext, answerRequest, type RefusedBecause } from './answer-request.ts';
import type { Document } from './documents.ts';

/** What the log of the API shows. */
export type ApiReport =
  | RefusedBecause
  | { readonly code: 'failed'; readonly error: unknown }
  /** An agent proved its node. */
  | ({ readonly code: 'agent-certified' } & AgentIdentity)
  /** Something that asked for the certificate of an agent did not get it. */
  | { readonly code: 'agent-not-certified'; readonly problem: IssueProblem; readonly cause?: unknown }
  /** An agent, or the way to it, broke off a log. */
  | { readonly code: 'log-cut'; readonly error: unknown }
  /** A caller lost its permission while it read. */
  | { readonly code: 'stream-ended'; readonly problem: Refusal['problem']; readonly cause?: unknown };

export interface ApiOptions extends ApiContext, Omit<HttpsOptions, 'answer'> {
  /** Issues certificates to agents; undefined: they have theirs from elsewhere. */
  readonly issuing?: IssueOptions | undefined;
  readonly report: (report: ApiReport) => void;
}

/** Serves the API of logtool to API servers. Throws the system's error if it cannot listen. */
export function serveApi(options: ApiOptions): Promise<ServedHttps> {
  return serveHttps({ ...options, answer: (request, response) => void answer(request, response, options) });
}

/** Answers one request; whatever fails ends only this one. */
async function answer(request: AnyRequest, response: AnyResponse, options: ApiOptions): Promise<void> {
  const left = new AbortController();
  response.once('close', () => left.abort());
  const { method = '', url = '', headers } = request;
  try {
    if (url === AGENT_CERTIFICATE_PATH && options.issuing !== undefined) {
      sendCertificate(response, await issueToAgent(request, options.issuing, left.signal), options);
      return;
    }
    const asked = { method, url, accept: headers.accept, ...askedBy(request) };
    await send(response, await answerRequest(asked, options, left.signal), options, left.signal);
  } catch (error) {
    // The caller went, or the reason to cut it off was reported.
    if (left.signal.aborted || response.headersSent) return;
    options.report({ code: 'failed', error });
    sendStatus(response, serverError());
  }
}

async function send(
  response: AnyResponse,
  answered: ApiAnswer,
  options: ApiOptions,
  left: AbortSignal,
): Promise<void> {
  if ('status' in answered) {
    if (answered.because !== undefined) options.report(answered.because);
    return sendStatus(response, answered.status);
  }
  if ('document' in answered) return sendDocument(response, answered.document);
  if ('isEmpty' in answered) {
    response.statusCode = 204;
    response.end();
    return;
  }
  if ('watch' in answered) return sendWatch(response, answered, options, left);
  await sendLog(response, answered, options, left);
}

function sendCertificate(response: AnyResponse, answered: IssueAnswer, { report }: ApiOptions): void {
  if ('certificate' in answered) {
    report({ code: 'agent-certified', ...answered.agent });
    response.setHeader('content-type', 'application/x-pem-file');
    response.end(answered.certificate);
    return;
  }
  const { status, problem, cause } = answered;
  if (problem !== undefined) report({ code: 'agent-not-certified', problem, cause });
  sendStatus(response, status);
}

function sendDocument(response: AnyResponse, document: Document): void {
  if ('json' in document) {
    for (const [name, value] of Object.entries(document.headers ?? {})) response.setHeader(name, value);
    sendJson(response, document.json, 200, document.type);
  } else {
    response.setHeader('content-type', 'text/plain; charset=utf-8');
    response.end(document.text);
  }
}

const PASSED_HEADERS = ['content-type', 'retry-after'] as const;

/** Passes on what an agent answers, as fast as the caller reads it, as long as the caller may read it. */
async function sendLog(
  response: AnyResponse,
  { answered, refusalOf }: Extract<ApiAnswer, { readonly answered: unknown }>,
  { clock, report }: ApiOptions,
  left: AbortSignal,
): Promise<void> {
  const { code, headers, body } = answered;
  response.statusCode = code;
  for (const name of PASSED_HEADERS) {
    const value = headers[name];
    if (value !== undefined) response.setHeader(name, value);
  }
  // A log that is followed may have nothing to say for hours.
  sendHead(response);
  const onFailure = (error: unknown) => {
    if (!left.aborted) report({ code: 'log-cut', error });
    cut(response);
  };
  await whileAllowed(refusalOf, { clock, report, left }, async (refused) => {
    void refused.then(
      () => cut(response),
      () => undefined,
    );
    await pipeline(Readable.from(reportingFailure(body, onFailure)), response);
  });
}

/** Sends the events of a watch; if its caller loses the permission, the last one says so. */
async function sendWatch(
  response: AnyResponse,
  { watch, refusalOf }: Extract<ApiAnswer, { readonly watch: unknown }>,
  { clock, report }: ApiOptions,
  left: AbortSignal,
): Promise<void> {
  response.setHeader('content-type', 'application/json');
  sendHead(response);
  await whileAllowed(refusalOf, { clock, report, left }, async (refused) => {
    const onFailure = (error: unknown) => {
      if (!left.aborted) report({ code: 'failed', error });
      cut(response);
    };
    await pipeline(Readable.from(reportingFailure(watch(refused), onFailure)), response);
  });
}

interface Watched extends Pick<ApiOptions, 'clock' | 'report'> {
  readonly left: AbortSignal;
}

/**
 * Sends an answer, and asks meanwhile whether its caller may still read. `refused` resolves with why not; it rejects when
 * the answer is over, because then nobody has to be asked again.
 */
async function whileAllowed(
  refusalOf: (signal: AbortSignal) => Promise<Refusal | undefined>,
  { clock, report, left }: Watched,
  sendAll: (refused: Promise<Refusal>) => Promise<void>,
): Promise<void> {
  const over = new AbortController();
  const refused = untilRefused(refusalOf, clock, AbortSignal.any([left, over.signal])).then((refusal) => {
    const { problem, cause } = refusal;
    report({ code: 'stream-ended', problem, cause });
    return refusal;
  });
  const ended = refused.then(
    () => undefined,
    () => undefined,
  );
  try {
    await sendAll(refused);
  } finally {
    over.abort();
    await ended;
  }
}
