import type { AskedBy, AskedByProblem, FrontProxy } from '../front-proxy/front-proxy.ts';
import type { AccessReviews, Refusal } from '../review/access-reviews.ts';
import { questionsOfCollection, questionsOfLog } from '../review/questions.ts';
import { methodNotAllowed, unknownPath } from '../status/log-status.ts';
import type { Status } from '../status/status.ts';
import { type ListAnswer, openContainerLogs, type Runs } from './container-logs.ts';
import { answerDocument, type Document } from './documents.ts';
import { type AskedLog, openPodLog, type PodLogAnswer, type Surroundings } from './pod-log.ts';
import type { PodName } from './pod-to-read.ts';

/** What a request is. */
export interface ApiRequest extends AskedBy {
  readonly method: string;
  /** Path and query, as they came. */
  readonly url: string;
  readonly accept: string | undefined;
}

export interface ApiContext extends Surroundings {
  readonly frontProxy: Pick<FrontProxy, 'callerOf'>;
  readonly reviews: Pick<AccessReviews, 'refusalOf'>;
  readonly runs: Runs;
}

/** Why a request was not answered; for the log of the API, not for the caller. */
export type RefusedBecause =
  | { readonly code: 'unknown-caller'; readonly problem: AskedByProblem }
  | { readonly code: 'refused'; readonly problem: Refusal['problem']; readonly cause?: unknown }
  /** The API server, or an agent, did not answer. */
  | { readonly code: 'unanswered'; readonly cause: unknown };

export type ApiAnswer =
  | { readonly status: Status; readonly because?: RefusedBecause }
  | { readonly document: Document }
  | (Extract<PodLogAnswer, { readonly answered: unknown } | { readonly isEmpty: true }> & {
      readonly refusalOf: RefusalOf;
    })
  | (Extract<ListAnswer, { readonly watch: unknown }> & { readonly refusalOf: RefusalOf });

/** Asks whether the caller may still read. */
type RefusalOf = (signal: AbortSignal) => Promise<Refusal | undefined>;

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/**
 * Answers a request that came through the API server. The documents of discovery, and health, need nobody: while the API
 * server cannot read them, it deletes no namespace. Rejects only with the signal's reason.
 */
export async function answerRequest(
  request: ApiRequest,
  context: ApiContext,
  signal: AbortSignal,
): Promise<ApiAnswer> {
  const [path = '', ...queries] = request.url.split('?');
  const document = answerDocument(path, request.accept);
  if (document !== undefined) {
    return READING.has(request.method) ? { document } : { status: methodNotAllowed() };
  }
  const caller = context.frontProxy.callerOf(request);
  if ('problem' in caller) {
    return { status: caller.status, because: { code: 'unknown-caller', problem: caller.problem } };
  }
  const route = readRoute(path);
  if (route === undefined) return { status: unknownPath() };
  if (request.method !== 'GET') return { status: methodNotAllowed() };
  const { identity } = caller;
  const questions =
    'pod' in route ? questionsOfLog(route.namespace, route.pod) : questionsOfCollection(route.namespace);
  const refusalOf = (own: AbortSignal) => context.reviews.refusalOf(identity, questions, own);
  const refusal = await refusalOf(signal);
  if (refusal !== undefined) {
    const { problem, cause } = refusal;
    return { status: refusal.status, because: { code: 'refused', problem, cause } };
  }
  const query = new URLSearchParams(queries.join('?'));
  if ('pod' in route) return openLog({ ...route, query, identity }, context, refusalOf, signal);
  const { accept } = request;
  const opened = await openContainerLogs({ ...route, query, accept }, context.runs, { ...context, signal });
  return 'watch' in opened ? { ...opened, refusalOf } : opened;
}

async function openLog(
  asked: AskedLog,
  context: ApiContext,
  refusalOf: RefusalOf,
  signal: AbortSignal,
): Promise<ApiAnswer> {
  const opened = await openPodLog(asked, context, signal);
  if (!('status' in opened)) return { ...opened, refusalOf };
  const { status, cause } = opened;
  return { status, ...(cause === undefined ? {} : { because: { code: 'unanswered', cause } }) };
}

type Route = PodName | { readonly namespace: string | undefined; readonly name: string | undefined };

const BASE =
  /^\/apis\/logtool\.dev\/v1alpha1(?:\/namespaces\/([^/]+))?\/([a-z]+)(?:\/([^/]+)(?:\/([a-z]+))?)?$/;

/** Returns what a path names; undefined if nothing of the API. */
function readRoute(path: string): Route | undefined {
  const segments = BASE.exec(path)?.slice(1) ?? [];
  const [namespace, resource, name, subresource] = segments.map(decoded);
  if (segments.some((segment) => segment !== undefined && decoded(segment) === undefined)) return undefined;
  if (resource === 'containerlogs' && subresource === undefined) {
    return name !== undefined && namespace === undefined ? undefined : { namespace, name };
  }
  const isLog = resource === 'pods' && subresource === 'log';
  return isLog && namespace !== undefined && name !== undefined ? { namespace, pod: name } : undefined;
}

/** Undefined: it is not escaped as it should be. */
function decoded(segment: string | undefined): string | undefined {
  try {
    return segment === undefined ? undefined : decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
