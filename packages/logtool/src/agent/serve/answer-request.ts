import { type AskedBy, type AskedByProblem, callerBy } from '../../agent-api/front-proxy/front-proxy.ts';
import type { Identity } from '../../agent-api/front-proxy/read-identity.ts';
import type { RequestHeader } from '../../agent-api/front-proxy/request-header.ts';
import type { AccessReviews, Refusal } from '../../agent-api/review/access-reviews.ts';
import { questionsOfLog } from '../../agent-api/review/questions.ts';
import { methodNotAllowed, podNotFound, unknownPath } from '../../agent-api/status/log-status.ts';
import type { Status } from '../../agent-api/status/status.ts';
import { findNameFault } from '../../domain/names.ts';
import { readLogOptions } from './log-options.ts';
import { type LogReading, openPodLog, type PodName } from './pod-log.ts';

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
}

/** Why a request was not answered; for the log of the agent, not for the caller. */
export type RefusedBecause =
  | { readonly code: 'unknown-caller'; readonly problem: AskedByProblem }
  | { readonly code: 'refused'; readonly problem: Refusal['problem']; readonly cause?: unknown };

export type AgentAnswer =
  | { readonly status: Status; readonly because?: RefusedBecause }
  | {
      readonly body: AsyncIterable<Uint8Array>;
      /** Asks whether the caller may still read. */
      readonly refusalOf: (signal: AbortSignal) => Promise<Refusal | undefined>;
    };

const LOG = /^\/apis\/logtool\.dev\/v1alpha1\/namespaces\/([^/]+)\/pods\/([^/]+)\/log$/;

/**
 * Answers a request of the API of logtool for a log. The certificate shows that the API asks; the caller that it
 * names is reviewed, as the API has done already: a fault in one is caught by the other. Throws what
 * reading throws.
 */
export async function answerRequest(
  request: AgentRequest,
  { trust, reviews }: AgentAccess,
  reading: LogReading,
): Promise<AgentAnswer> {
  const caller = callerBy(trust(), request, reading.clock.now());
  if ('problem' in caller) {
    return { status: caller.status, because: { code: 'unknown-caller', problem: caller.problem } };
  }
  const [path = '', ...queries] = request.url.split('?');
  const asked = podIn(path);
  if (asked === undefined) return { status: unknownPath() };
  if (request.method !== 'GET') return { status: methodNotAllowed() };
  const refusalOf = (signal: AbortSignal) => refusalFor(reviews, caller.identity, asked, signal);
  const refusal = await refusalOf(reading.signal);
  if (refusal !== undefined) {
    const { problem, cause } = refusal;
    return { status: refusal.status, because: { code: 'refused', problem, cause } };
  }
  // No such name exists, and none of the node's folders is asked for it.
  if (!isPodName(asked)) return { status: podNotFound(asked.pod) };
  const options = readLogOptions(new URLSearchParams(queries.join('?')), asked.pod, reading.clock.now());
  if ('status' in options) return options;
  const opened = await openPodLog(asked, options, reading);
  return 'status' in opened ? opened : { body: opened.body, refusalOf };
}

function refusalFor(
  reviews: AgentAccess['reviews'],
  identity: Identity,
  { namespace, pod }: PodName,
  signal: AbortSignal,
): Promise<Refusal | undefined> {
  return reviews.refusalOf(identity, questionsOfLog(namespace, pod), signal);
}

function podIn(path: string): PodName | undefined {
  const [, namespace, pod] = LOG.exec(path) ?? [];
  if (namespace === undefined || pod === undefined) return undefined;
  try {
    return { namespace: decodeURIComponent(namespace), pod: decodeURIComponent(pod) };
  } catch {
    return undefined;
  }
}

function isPodName({ namespace, pod }: PodName): boolean {
  return findNameFault(namespace, 'label') === undefined && findNameFault(pod, 'subdomain') === undefined;
}
