import { type AskedBy, type AskedByProblem, callerBy } from '../../agent-api/front-proxy/front-proxy.ts';
import type { RequestHeader } from '../../agent-api/front-proxy/request-header.ts';
import type { AccessReviews, Refusal } from '../../agent-api/review/access-reviews.ts';
import { RUNS_PATH } from '../../agent-api/runs/run-facts.ts';
import { methodNotAllowed, unknownPath } from '../../agent-api/status/log-status.ts';
import type { Status } from '../../agent-api/status/status.ts';
import type { LogReading } from './pod-log.ts';
import { type OpenedAnswer, routeOf } from './routes.ts';

/** What a request is. */
export interface AgentRequest extends AskedBy {
  readonly method: string;
  /** Path and query, as they came. */
  readonly url: string;
}

/** Whose requests are answered, and what they may read. */
export interface AgentAccess {
  /** The certificate of the API of logtool, and the headers in which it names its caller. Called for each request. */
  readonly trust: () => RequestHeader;
  readonly reviews: Pick<AccessReviews, 'refusalOf'>;
  /** Lists what the node has, as runs-body does. */
  readonly listRuns: (signal: AbortSignal) => AsyncIterable<Uint8Array>;
}

/** Why a request was not answered; for the log of the agent, not for the caller. */
export type RefusedBecause =
  | { readonly code: 'unknown-caller'; readonly problem: AskedByProblem }
  | { readonly code: 'refused'; readonly problem: Refusal['problem']; readonly cause?: unknown };

export type AgentAnswer =
  | { readonly status: Status; readonly because?: RefusedBecause }
  | (OpenedAnswer & {
      /** Asks whether the caller may still read. */
      readonly refusalOf: (signal: AbortSignal) => Promise<Refusal | undefined>;
    });

/**
 * Answers a request of the API of logtool. The certificate shows that the API asks; the caller that it
 * names is reviewed, as the API has done already: a fault in one is caught by the other. Throws what
 * reading throws.
 */
export async function answerRequest(
  request: AgentRequest,
  { trust, reviews, listRuns }: AgentAccess,
  reading: LogReading,
): Promise<AgentAnswer> {
  const caller = callerBy(trust(), request, reading.clock.now());
  if ('problem' in caller) {
    return { status: caller.status, because: { code: 'unknown-caller', problem: caller.problem } };
  }
  const [path = '', ...queries] = request.url.split('?');
  if (path === RUNS_PATH && request.method === 'GET') {
    // For everybody who asks the API, which reviews each of them: it is no log, but names and sizes.
    return { body: listRuns(reading.signal), refusalOf: async () => undefined };
  }
  const found = routeOf(path);
  if (found === undefined) return { status: unknownPath() };
  if (request.method !== 'GET') return { status: methodNotAllowed() };
  const { route, names } = found;
  const questions = route.questions(names);
  const refusalOf = (signal: AbortSignal) => reviews.refusalOf(caller.identity, questions, signal);
  const refusal = await refusalOf(reading.signal);
  if (refusal !== undefined) {
    const { problem, cause } = refusal;
    return { status: refusal.status, because: { code: 'refused', problem, cause } };
  }
  const answer = await route.open(names, new URLSearchParams(queries.join('?')), reading);
  return 'status' in answer ? answer : { ...answer, refusalOf };
}
