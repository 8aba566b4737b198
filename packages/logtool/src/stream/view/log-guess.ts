import type { LogQuery } from '@logtool/kube/src/client.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../../domain/container.ts';
import { copyQuery, mayCopy } from '../copy/passthrough.ts';
import type { EnginePlan } from '../plan/engine.ts';
import type { GuessedLog, ReadContext } from '../plan/read-context.ts';
import { requestLog } from '../run/open-log.ts';
import { firstAsk } from '../window/tail-ask.ts';

/** Maximum lines to request on a guess. */
const MAX_LINES = 1_000;
/** More than the clock difference between a node and this machine, or a clock that was set. */
const SURE_AGE_MS = 60_000;

/**
 * Requests the log of a named pod while the pod itself is still being fetched: far from the server, each avoided wait
 * is noticeable. Uses the answer only if it equals what sequential requests would have returned:
 * - it is the first request for a log, and has the same query;
 * - the container is the named one, or the only regular one: without a name the server refuses to choose among several
 *   (test/recorded/pods-log), and does not know the annotation with the default container;
 * - its run began, or ended, long before the request, so that no earlier run can have answered. The reader checks as
 *   usual whether a later run did.
 * Undefined: nothing can be guessed.
 */
export function guessLog(context: ReadContext, plan: EnginePlan): GuessedLog | undefined {
  const query = guessedQuery(plan);
  if (query === undefined) return undefined;
  const askedAtMs = context.clock.now();
  const abort = new AbortController();
  const signal = AbortSignal.any([context.signal, abort.signal]);
  // A failure repeats for the sequential request, which handles it.
  const answer = requestLog({ ...context, signal }, query).catch(() => undefined);
  let isOver = false;
  return {
    async take(target, wanted) {
      if (isOver) return undefined;
      isOver = true;
      if (isFor(query, wanted, target) && isCertain(target, askedAtMs)) {
        const response = await answer;
        context.signal.throwIfAborted();
        if (response?.status === 200) return response;
      }
      abort.abort(new Error('the guess was wrong'));
      return undefined;
    },
  };
}

/** Whether a guessed query equals the wanted one for a container. */
function isFor(guess: LogQuery, wanted: LogQuery, { kind }: ContainerTarget): boolean {
  const { container: guessed, ...rest } = guess;
  const { container, ...query } = wanted;
  if (guessed === undefined ? kind !== 'regular' : guessed !== container) return false;
  const names = new Set([...Object.keys(query), ...Object.keys(rest)]) as Set<keyof typeof rest>;
  return [...names].every((name) => (query[name] || undefined) === (rest[name] || undefined));
}

/** Whether only the fetched pod's run can have answered. */
function isCertain({ state, mayRestart, deleting }: ContainerTarget, askedAtMs: number): boolean {
  const isOld = (at: Timestamp | undefined) =>
    at !== undefined && at.seconds * 1000 < askedAtMs - SURE_AGE_MS;
  if (state.kind === 'running') return isOld(state.startedAt);
  return state.kind === 'terminated' && !mayRestart && !deleting && isOld(state.finishedAt);
}

function guessedQuery(plan: EnginePlan): LogQuery | undefined {
  const { guess, window, resume } = plan;
  const { selection, from, to, previous } = window;
  if (guess === undefined || resume !== undefined || previous === 'only') return undefined;
  if (selection.kind !== 'tail' || selection.count < 1 || selection.count > MAX_LINES) return undefined;
  if (from !== undefined || to !== undefined) return undefined;
  const { namespace, pod, container } = guess;
  const query = mayCopy(plan)
    ? copyQuery(plan)
    : { timestamps: true, tailLines: firstAsk(plan, selection.count) };
  return { namespace, pod, ...(container === undefined ? {} : { container }), ...query };
}
