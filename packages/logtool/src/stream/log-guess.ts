import type { LogQuery } from '@logtool/kube/src/client.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../domain/container.ts';
import { copyQuery, mayCopy } from './copy/passthrough.ts';
import type { EnginePlan } from './engine.ts';
import type { GuessedLog, ReadContext } from './read-context.ts';
import { requestLog } from './run/open-log.ts';
import { firstAsk } from './window/tail-ask.ts';

/** More lines are not asked for on a guess. */
const MAX_LINES = 1_000;
/** More than the clocks of a node and of this machine differ, or a clock that was set. */
const SURE_AGE_MS = 60_000;

/**
 * The log of a named pod, asked for while the pod itself is still being fetched: far from the server each answer that
 * the next request need not wait for is felt. The answer is used only where it is what the request made in order would
 * have brought:
 * - it is the first request for a log, and asks for the same lines;
 * - the container is the one that was named, or the only regular one: without a name the server refuses to choose among
 *   several (test/recorded/pods-log), and the annotation with the default container is not known to it;
 * - its run began, or was over, long before the request, so that no earlier run can have answered. Whether a later one
 *   did, the reader finds out as ever.
 * Undefined: there is nothing to guess.
 */
export function guessLog(context: ReadContext, plan: EnginePlan): GuessedLog | undefined {
  const query = guessedQuery(plan);
  if (query === undefined) return undefined;
  const askedAtMs = context.clock.now();
  const abort = new AbortController();
  const signal = AbortSignal.any([context.signal, abort.signal]);
  // What went wrong goes wrong again for who asks in order, and is judged there.
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

/** Whether a guessed query asks for what is wanted of a container. */
function isFor(guess: LogQuery, wanted: LogQuery, { kind }: ContainerTarget): boolean {
  const { container: guessed, ...rest } = guess;
  const { container, ...query } = wanted;
  if (guessed === undefined ? kind !== 'regular' : guessed !== container) return false;
  const names = new Set([...Object.keys(query), ...Object.keys(rest)]) as Set<keyof typeof rest>;
  return [...names].every((name) => (query[name] || undefined) === (rest[name] || undefined));
}

/** Whether only the fetched pod's run can have been served before. */
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
