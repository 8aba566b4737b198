import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogRecord } from '../../domain/record.ts';
import { isSameRecord } from '../run/log-end.ts';
import type { Position } from '../run/position.ts';

/** A rotation that a stream skips takes seconds of the log with it. */
const JUMP_NANOS = 500_000_000;
const JUMPS_KEPT = 64;
/** A step from line to line is a jump where the usual one is so many times smaller. */
const JUMP_FACTOR = 100;
/** How much the last step counts in the usual one. */
const STEP_WEIGHT = 0.02;
/** A jump is looked into no more often: a log is rotated each few seconds at the most. */
const LEAST_LOOK_MS = 1_000;

/** Two lines of a stream that come one behind the other, and are far apart in time. */
export interface Jump {
  readonly from: Timestamp;
  readonly to: Timestamp;
}

/**
 * Watches a stream for lines that it has given before, and for those that it never gives. A kubelet that lags behind two rotations of a log opens the
 * newest file for each of them: the file between is skipped, and the newest one may come twice
 * (pkg/kubelet/kuberuntime/logs/logs.go: each creation seen opens the file again, from its start).
 */
export class ReplayWatch {
  #last: Timestamp | undefined;
  /** When the last line came. */
  #cameMs = Number.NEGATIVE_INFINITY;
  #lookedMs = Number.NEGATIVE_INFINITY;
  #steps = 0;
  #usualStep = 0;
  readonly #jumps: Jump[] = [];

  /**
   * Index of the first of these lines that came before in this stream; -1 when there is none. `goesOnBehind` is asked
   * of a line that is too old to know it: whether the log itself ends at or behind the greatest time, so that its
   * clock was not set back.
   */
  async find(
    lines: readonly LogRecord[],
    position: Position,
    goesOnBehind: () => Promise<boolean>,
  ): Promise<number> {
    // The first lines of an answer may be known ones, out of their order.
    let last = this.#last;
    if (last === undefined) return -1;
    for (let index = 0; index < lines.length; index++) {
      const line = lines[index]!;
      if (compareTimestamps(line.at, last) < 0) {
        const knows = position.knows(line);
        if (knows === true || (knows === undefined && (await goesOnBehind()))) return index;
        for (let before = 0; before < index; before++) {
          if (isSameRecord(lines[before]!, line)) return index;
        }
      }
      last = line.at;
    }
    return -1;
  }

  /**
   * These lines were new. Returns a jump that may be a skipped file: its ends came at once although they are far apart,
   * so the stream lags, and no such pause is usual in this log.
   */
  took(fresh: readonly LogRecord[], nowMs: number): Jump | undefined {
    let suspect: Jump | undefined;
    let cameMs = this.#cameMs;
    for (const { at } of fresh) {
      const last = this.#last;
      this.#last = at;
      if (last === undefined) continue;
      const step = (at.seconds - last.seconds) * 1e9 + at.nanos - last.nanos;
      if (step >= JUMP_NANOS) {
        const jump = { from: last, to: at };
        this.#jumps.push(jump);
        if (this.#jumps.length > JUMPS_KEPT) this.#jumps.shift();
        const isLate = (nowMs - cameMs) * 1e6 < step / 2;
        if (isLate && this.#steps > JUMP_FACTOR && step > this.#usualStep * JUMP_FACTOR) suspect = jump;
      }
      cameMs = nowMs;
      this.#steps++;
      this.#usualStep += (Math.max(0, step) - this.#usualStep) * STEP_WEIGHT;
    }
    if (fresh.length > 0) this.#cameMs = nowMs;
    if (suspect === undefined || nowMs - this.#lookedMs < LEAST_LOOK_MS) return undefined;
    this.#lookedMs = nowMs;
    return suspect;
  }

  /** The jump was told of. */
  told(jump: Jump): void {
    this.#jumps.splice(this.#jumps.indexOf(jump), 1);
  }

  /** What the stream skipped in front of the file that comes again; undefined where its lines leave no room for any. */
  skippedBefore(line: LogRecord): Jump | undefined {
    return this.#jumps.findLast(({ to }) => compareTimestamps(to, line.at) === 0);
  }
}
