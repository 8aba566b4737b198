import { isKubeError } from '@logtool/kube/src/errors.ts';
import type { GapCause } from '../../domain/frame.ts';
import type { ReadContext } from '../plan/read-context.ts';
import { fetchContainer, outcomeOfMissing } from './fetch-container.ts';
import type { BodyError } from './line-parser.ts';
import type { RunAddress } from './open-log.ts';
import { classifyFailure, isOutage, mayBeRemoved } from './read-failure.ts';
import type { RunOutcome } from './run-outcome.ts';

export const RUN_REMOVED: GapCause = { code: 'run-removed', data: {} };
export const POD_DELETED: GapCause = { code: 'pod-deleted', data: { during: 'read' } };
/** The node keeps one run before the current one. */
export const RESTARTED_TWICE: GapCause = { code: 'restarted-twice', data: {} };
export const ROTATED: GapCause = { code: 'rotated', data: {} };

/** Consecutive attempts for 401 and 403, and for a run that the node may have removed. */
export const MAX_REFUSED_TRIES = 3;

/** The consequence of a failed attempt for a read. */
type Verdict =
  | { readonly kind: 'again'; readonly afterMs: number | undefined }
  | { readonly kind: 'give-up' }
  /** The read has ended; `gap`: why something may be missing. */
  | { readonly kind: 'over'; readonly outcome: RunOutcome; readonly gap: GapCause | undefined };

/** Judges the failures of one read of a run's log, by their kind and by their number in a row. */
export class FailurePolicy {
  readonly #context: ReadContext;
  /** Consecutive 401 and 403. */
  #denials = 0;
  /** Consecutive answers that were not a log. */
  #bodyErrors = 0;
  #wasAnswered = false;
  /** The current attempt delivered something new, or leads to another kind of request. */
  hasProgressed = false;
  /** The last failed attempt did not even reach the server. */
  isAway = false;
  lastError: unknown;
  /** The answers make it doubtful that a clean end before the read was the end of the log. */
  isDoubtful = false;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  /** Records that the server answered. */
  onAnswer(): void {
    this.#denials = 0;
    this.#wasAnswered = true;
  }

  /** Records that the answer ended cleanly. `isWhole`: it continued from what was known. */
  onEnd(isWhole: boolean): void {
    this.isDoubtful ||= !isWhole;
  }

  /** Records that the answer had something new. */
  onProgress(): void {
    this.hasProgressed = true;
    this.#bodyErrors = 0;
  }

  /**
   * Returns the verdict on a failure. `hasLines`: whether any line of the run was given. Throws only when the signal is
   * aborted.
   */
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
   * Handles a body that is not a log. The node may have removed the previous run
   * (test/recorded/pods-log/crashloop-phase-terminated-previous.json), which is certain if the current one has ended as
   * well; or the node fails temporarily.
   */
  #onBodyError(error: BodyError, run: RunAddress, hasLines: boolean): Verdict | undefined {
    const isExpected = run.target.state.kind === 'terminated';
    if (++this.#bodyErrors < (isExpected ? MAX_REFUSED_TRIES : MAX_REFUSED_TRIES + 2)) return undefined;
    const unreadable: GapCause = { code: 'previous-unreadable', data: { why: error.text } };
    const gap = hasLines ? RUN_REMOVED : isExpected ? undefined : unreadable;
    return { kind: 'over', outcome: { kind: 'absent' }, gap };
  }
}
