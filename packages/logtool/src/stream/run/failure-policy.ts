import { isKubeError } from '@logtool/kube/src/errors.ts';
import type { GapCause } from '../../domain/frame.ts';
import type { ReadContext } from '../read-context.ts';
import { fetchContainer, outcomeOfMissing } from './fetch-container.ts';
import type { BodyError } from './line-parser.ts';
import type { RunAddress } from './open-log.ts';
import type { RunOutcome } from './run-outcome.ts';
import { classifyFailure, isOutage, mayBeRemoved } from './source-failure.ts';

export const RUN_REMOVED: GapCause = { code: 'run-removed', data: {} };
export const POD_DELETED: GapCause = { code: 'pod-deleted', data: { during: 'read' } };
/** The node keeps one run before the present one. */
export const RESTARTED_TWICE: GapCause = { code: 'restarted-twice', data: {} };
export const ROTATED: GapCause = { code: 'rotated', data: {} };

/** Tries in a row for 401 and 403, and for a run that the node may have removed. */
export const MAX_REFUSED_TRIES = 3;

/** What a failed try of a read means for it. */
type Verdict =
  | { readonly kind: 'again'; readonly afterMs: number | undefined }
  | { readonly kind: 'give-up' }
  /** Over; `gap` says why something may be missing. */
  | { readonly kind: 'over'; readonly outcome: RunOutcome; readonly gap: GapCause | undefined };

/** Judges the failures of one read of a run's log, by their kind and by how many came in a row. */
export class FailurePolicy {
  readonly #context: ReadContext;
  /** 401 and 403 in a row. */
  #denials = 0;
  /** Answers in a row that were no log. */
  #bodyErrors = 0;
  #wasAnswered = false;
  /** The present try had something new, or leads to another way to ask. */
  hasProgressed = false;
  /** The last failed try did not even reach the server. */
  isAway = false;
  lastError: unknown;
  /** What was answered leaves in doubt whether a clean end before the read was that of the log. */
  isDoubtful = false;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  /** The server gave an answer. */
  onAnswer(): void {
    this.#denials = 0;
    this.#wasAnswered = true;
  }

  /** The answer ended cleanly. `isWhole`: it continued from what was known. */
  onEnd(isWhole: boolean): void {
    this.isDoubtful ||= !isWhole;
  }

  /** The answer had something new. */
  onProgress(): void {
    this.hasProgressed = true;
    this.#bodyErrors = 0;
  }

  /** `hasLines`: whether anything of the run was given. Throws only when the signal is aborted. */
  async judge(error: unknown, run: RunAddress, hasLines: boolean): Promise<Verdict> {
    const failure = classifyFailure(error);
    this.lastError = error;
    this.isAway = !this.#wasAnswered && isKubeError(error, 'connection');
    this.#wasAnswered = false;
    this.isDoubtful ||= isOutage(error);
    switch (failure.kind) {
      case 'retry': {
        const absent = mayBeRemoved(error, run) ? this.#onBodyError(error, run, hasLines) : undefined;
        return absent ?? { kind: 'again', afterMs: failure.afterMs };
      }
      case 'denied':
        return ++this.#denials >= MAX_REFUSED_TRIES
          ? { kind: 'give-up' }
          : { kind: 'again', afterMs: undefined };
      case 'missing': {
        const outcome = outcomeOfMissing(await fetchContainer(this.#context, run.target));
        if (outcome === undefined) return { kind: 'again', afterMs: undefined };
        const gap = hasLines ? POD_DELETED : undefined;
        return { kind: 'over', outcome, gap };
      }
      case 'no-previous':
        return { kind: 'over', outcome: { kind: 'absent' }, gap: hasLines ? RUN_REMOVED : undefined };
      case 'waiting':
        return { kind: 'over', outcome: { kind: 'waiting', reason: failure.reason }, gap: undefined };
      case 'fatal':
        return { kind: 'give-up' };
    }
  }

  /**
   * The run before may have been removed from the node (test/recorded/pods-log/crashloop-phase-terminated-previous
   * .json), always so where the present one has ended as well; or the node has a moment of weakness.
   */
  #onBodyError(error: BodyError, run: RunAddress, hasLines: boolean): Verdict | undefined {
    const isExpected = run.target.state.kind === 'terminated';
    if (++this.#bodyErrors < (isExpected ? MAX_REFUSED_TRIES : MAX_REFUSED_TRIES + 2)) return undefined;
    const unreadable: GapCause = { code: 'previous-unreadable', data: { why: error.text } };
    const gap = hasLines ? RUN_REMOVED : isExpected ? undefined : unreadable;
    return { kind: 'over', outcome: { kind: 'absent' }, gap };
  }
}
