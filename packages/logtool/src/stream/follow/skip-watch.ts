import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogRecord } from '../../domain/record.ts';

/** A skipped rotation takes seconds of the log with it. */
const JUMP_NANOS = 500_000_000;
/** A step between lines is a jump if it is this many times the usual step. */
const JUMP_FACTOR = 100;
/** Weight of the last step in the usual one. */
const STEP_WEIGHT = 0.02;
/** Minimum interval of jump checks: a log is rotated every few seconds at most. */
const MIN_CHECK_MS = 1_000;

/** Two consecutive lines of a stream that are far apart in time. */
export interface Jump {
  readonly from: Timestamp;
  readonly to: Timestamp;
}

/**
 * Watches a followed stream for skipped files. A kubelet that lags two rotations behind opens the newest file for each
 * of them: the file between never comes, and nothing else shows it (kubelet, pkg/kubelet/kuberuntime/logs/logs.go;
 * packages/simcluster/src/kubelet/follow.ts does the same).
 */
export class SkipWatch {
  #last: Timestamp | undefined;
  /** Arrival of the last line. */
  #cameMs = Number.NEGATIVE_INFINITY;
  #checkedMs = Number.NEGATIVE_INFINITY;
  #steps = 0;
  #usualStep = 0;

  /**
   * Takes new lines. Returns a jump that may be a skipped file: its two lines arrived together although they are far
   * apart in time, so the stream lags, and no such pause is usual in this log.
   */
  took(fresh: readonly LogRecord[], nowMs: number): Jump | undefined {
    let suspect: Jump | undefined;
    for (const { at } of fresh) {
      const last = this.#last;
      this.#last = at;
      if (last === undefined) continue;
      const step = (at.seconds - last.seconds) * 1e9 + at.nanos - last.nanos;
      if (this.#isJump(step, nowMs)) suspect = { from: last, to: at };
      this.#cameMs = nowMs;
      this.#steps++;
      this.#usualStep += (Math.max(0, step) - this.#usualStep) * STEP_WEIGHT;
    }
    this.#cameMs = fresh.length > 0 ? nowMs : this.#cameMs;
    if (suspect === undefined || nowMs - this.#checkedMs < MIN_CHECK_MS) return undefined;
    this.#checkedMs = nowMs;
    return suspect;
  }

  #isJump(step: number, nowMs: number): boolean {
    if (step < JUMP_NANOS || this.#steps <= JUMP_FACTOR) return false;
    const isLate = (nowMs - this.#cameMs) * 1e6 < step / 2;
    return isLate && step > this.#usualStep * JUMP_FACTOR;
  }
}
