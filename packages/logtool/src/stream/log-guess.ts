import type { LogQuery, LogResponse } from '@logtool/kube/src/client.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerTarget } from '../domain/container.ts';
import { copyQuery, mayCopy } from './copy/passthrough.ts';
import type { EnginePlan } from './engine.ts';
import type { GuessedLog, ReadContext } from './read-context.ts';
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
 */
export class LogGuess implements GuessedLog {
  readonly #context: ReadContext;
  readonly #query: LogQuery;
  readonly #askedAtMs: number;
  readonly #abort = new AbortController();
  readonly #answer: Promise<LogResponse | undefined>;
  #isOver = false;

  /** Asks at once. Undefined: there is nothing to guess. */
  static ask(context: ReadContext, plan: EnginePlan): LogGuess | undefined {
    const query = guessedQuery(plan);
    return query === undefined ? undefined : new LogGuess(context, query);
  }

  private constructor(context: ReadContext, query: LogQuery) {
    this.#context = context;
    this.#query = query;
    this.#askedAtMs = context.clock.now();
    const signal = AbortSignal.any([context.signal, this.#abort.signal]);
    // What went wrong goes wrong again for who asks in order, and is judged there.
    this.#answer = context.client.log(query, { signal }).catch(() => undefined);
  }

  /**
   * The answer to this query, once; undefined if it must be requested. Throws only when the signal is
   * aborted.
   */
  async take(target: ContainerTarget, query: LogQuery): Promise<LogResponse | undefined> {
    if (this.#isOver) return undefined;
    this.#isOver = true;
    if (this.#isFor(query, target) && this.#isCertain(target)) {
      const answer = await this.#answer;
      this.#context.signal.throwIfAborted();
      if (answer?.status === 200) return answer;
    }
    this.#abort.abort(new Error('the guess was wrong'));
    return undefined;
  }

  #isFor({ container, ...query }: LogQuery, { kind }: ContainerTarget): boolean {
    const { container: guessed, ...rest } = this.#query;
    if (guessed === undefined ? kind !== 'regular' : guessed !== container) return false;
    const names = new Set([...Object.keys(query), ...Object.keys(rest)]) as Set<keyof typeof rest>;
    return [...names].every((name) => (query[name] || undefined) === (rest[name] || undefined));
  }

  /** Whether only the fetched pod's run can have been served before. */
  #isCertain({ state, mayRestart, deleting }: ContainerTarget): boolean {
    const isOld = (at: Timestamp | undefined) =>
      at !== undefined && at.seconds * 1000 < this.#askedAtMs - SURE_AGE_MS;
    if (state.kind === 'running') return isOld(state.startedAt);
    return state.kind === 'terminated' && !mayRestart && !deleting && isOld(state.finishedAt);
  }
}

function guessedQuery(plan: EnginePlan): LogQuery | undefined {
  const { guess, window, resume } = plan;
  const { selection, from, to, previous } = window;
  if (guess === undefined || resume !== undefined || previous === 'only') return undefined;
  if (selection.kind !== 'tail' || selection.count < 1 || selection.count > MAX_LINES) return undefined;
  if (from !== undefined || to !== undefined) return undefined;
  const { namespace, pod, container } = guess;
  const part = mayCopy(plan)
    ? copyQuery(plan)
    : { timestamps: true, tailLines: firstAsk(plan, selection.count) };
  return { namespace, pod, ...(container === undefined ? {} : { container }), ...part };
}
