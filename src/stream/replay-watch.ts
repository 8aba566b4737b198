import type { LogRecord } from '../domain/record.ts';
import { compareTimestamps, type Timestamp } from '../domain/timestamp.ts';
import { isSameRecord } from './log-end.ts';
import type { Position } from './position.ts';

/** A rotation that a stream skips takes seconds of the log with it. */
const JUMP_NANOS = 500_000_000;
const JUMPS_KEPT = 64;

interface Jump {
  readonly from: Timestamp;
  readonly to: Timestamp;
}

/**
 * Watches a stream for lines that it has given before. A kubelet that lags behind two rotations of a log opens the
 * newest file for each of them: the file between is skipped, and the newest one may come twice
 * (pkg/kubelet/kuberuntime/logs/logs.go: each creation seen opens the file again, from its start).
 */
export class ReplayWatch {
  #last: Timestamp | undefined;
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

  /** These lines were new. */
  took(fresh: readonly LogRecord[]): void {
    for (const { at } of fresh) {
      const last = this.#last;
      if (last !== undefined && (at.seconds - last.seconds) * 1e9 + at.nanos - last.nanos >= JUMP_NANOS) {
        this.#jumps.push({ from: last, to: at });
        if (this.#jumps.length > JUMPS_KEPT) this.#jumps.shift();
      }
      this.#last = at;
    }
  }

  /** What the stream skipped in front of the file that comes again; undefined where its lines leave no room for any. */
  skippedBefore(line: LogRecord): Jump | undefined {
    return this.#jumps.findLast(({ to }) => compareTimestamps(to, line.at) === 0);
  }
}
