import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { Bound } from '../../domain/window.ts';
import { Position } from '../run/position.ts';
import { isBeforeFrom } from '../window/bounds.ts';

/** Lines that lie in front of the newest one by up to this much come again. */
const AGAIN_SECONDS = 1;

export interface KnownPlace {
  /** Time of the newest line that is known. */
  readonly at: Timestamp;
  /** The line is of the run that is read first, of that or of the one behind it, or of none that is left. */
  readonly isOf: 'first-run' | 'first-or-second-run' | 'no-run';
  /** Told when the first run is over, and nothing of it was there any more, not even the known line. */
  readonly onLost?: () => void;
}

/**
 * A place of which the time of the newest line is all that is known. What lies around it is given once more, for its
 * reader to drop: from the whole second on, and one second before, since lines may lie out of their order. The log is
 * asked for from one more second before, because what it gives first may be the end of a long line that began earlier,
 * which is no line.
 */
export class ResumedPosition extends Position {
  readonly #place: KnownPlace;
  /** Whether the known line is still to come again, in the present run or in the one behind it. */
  #awaits: KnownPlace['isOf'];
  #sawLines = false;
  #atFork: { readonly awaits: KnownPlace['isOf']; readonly sawLines: boolean };

  constructor(place: KnownPlace) {
    super();
    this.#place = place;
    this.#awaits = place.isOf;
    this.#atFork = { awaits: place.isOf, sawLines: false };
  }

  /** Whether the known line lies in front of where a window begins. */
  isBefore(from: Bound | undefined): boolean {
    return isBeforeFrom(this.#place.at, from);
  }

  override get max(): Timestamp | undefined {
    return super.max ?? this.#place.at;
  }

  override get since(): Timestamp | undefined {
    if (super.max !== undefined) return super.since;
    return { seconds: this.#place.at.seconds - AGAIN_SECONDS - 1, nanos: 0 };
  }

  override fork(): Position {
    this.#atFork = { awaits: this.#awaits, sawLines: this.#sawLines };
    return super.fork();
  }

  override restore(fork: Position): void {
    this.#awaits = this.#atFork.awaits;
    this.#sawLines = this.#atFork.sawLines;
    super.restore(fork);
  }

  override beginRun(): void {
    if (this.#awaits === 'first-run' && !this.#sawLines) this.#place.onLost?.();
    this.#awaits = this.#awaits === 'first-or-second-run' ? 'first-run' : 'no-run';
    super.beginRun();
  }

  override admit(
    records: readonly LogRecord[],
    onGap?: (from: Timestamp, to: Timestamp) => void,
  ): readonly LogRecord[] {
    const [first] = records;
    const { at } = this.#place;
    if (first !== undefined) this.#sawLines = true;
    if (this.#awaits !== 'no-run' && first !== undefined) {
      // Between two runs only the line itself tells which one it is of.
      const isKnown = (record: LogRecord) => {
        const order = compareTimestamps(record.at, at);
        return this.#place.isOf === 'first-run' ? order <= 0 : order === 0;
      };
      const isBehind = records.every((record) => compareTimestamps(record.at, at) > 0);
      if (records.some(isKnown)) this.#awaits = 'no-run';
      else if (isBehind) {
        this.#awaits = 'no-run';
        onGap?.(at, first.at);
      }
    }
    if (super.max !== undefined) return super.admit(records, onGap);
    const from = at.seconds - AGAIN_SECONDS;
    return super.admit(
      records.every((record) => record.at.seconds >= from)
        ? records
        : records.filter((record) => record.at.seconds >= from),
      onGap,
    );
  }
}
