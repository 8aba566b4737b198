import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { compareTimestamps } from '@logtool/kube/src/values/timestamp.ts';
import type { ReadContext } from '../read-context.ts';
import { firstTime } from '../run/first-record.ts';
import type { Position } from '../run/position.ts';
import type { RunAddress } from '../run/run-address.ts';

/** Connections in a row that brought nothing but known lines, before the place is searched for. */
const FRUITLESS = 2;
/** A connection that lasts so long shows that the breaks are over. */
const STEADY_MS = 30_000;
/** Lines more than needed: they may lie out of their order a little, and the log grows between look and read. */
const SLACK_LINES = 8;
/** Farther from the end, reading by time is as good. */
const MOST_LINES = 2 ** 20;
const GROWTH = 8;

/**
 * Whether connections break before they come to what is new. A resume begins at a whole second, so of a fast log up to
 * two seconds come again: where less than that gets through, no number of tries would bring a new line.
 */
export class Struggle {
  readonly #clock: Clock;
  #fruitless = 0;
  #beganMs = 0;
  #known = 0;
  #fresh = 0;
  #answeredMs: number | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether a resume has to begin as near to the new lines as can be found out. */
  get isHard(): boolean {
    return this.#fruitless >= FRUITLESS;
  }

  /** A connection begins; what the one before brought is judged. */
  begin(): void {
    if (this.#clock.steady() - this.#beganMs >= STEADY_MS) this.#fruitless = 0;
    else if (this.#known > 0 && this.#fresh === 0) this.#fruitless++;
    else if (this.#fresh > 0 && !this.isHard) this.#fruitless = 0;
    this.#beganMs = this.#clock.steady();
    this.#known = 0;
    this.#fresh = 0;
  }

  /** Lines came; of them so many new ones. */
  took(lines: number, fresh: number): void {
    this.#known += lines - fresh;
    this.#fresh += fresh;
  }

  /** The server gives the log. */
  answered(): void {
    this.#answeredMs = this.#clock.steady();
  }

  /** At the end of a connection: whether it stood long enough to be none in vain, though nothing was written. */
  wasSteady(): boolean {
    const answeredMs = this.#answeredMs;
    this.#answeredMs = undefined;
    return answeredMs !== undefined && this.#clock.steady() - answeredMs >= STEADY_MS;
  }
}

/**
 * The number of lines from the end that just reaches back to what is known, found by the times of first lines alone.
 * Undefined where it cannot be found. Throws only when the signal is aborted.
 */
export async function nearestTail(
  context: ReadContext,
  run: RunAddress,
  position: Position,
): Promise<number | undefined> {
  const { max } = position;
  if (max === undefined) return undefined;
  const reachesBack = async (lines: number) => {
    const first = await firstTime(context, run, lines);
    return first === undefined || compareTimestamps(first, max) <= 0;
  };
  let low = 0;
  let high = 1;
  while (high < MOST_LINES && !(await reachesBack(high))) {
    low = high;
    high *= GROWTH;
  }
  if (high >= MOST_LINES) return undefined;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (await reachesBack(middle)) high = middle;
    else low = middle;
  }
  let slack = SLACK_LINES;
  while (slack < high && !(await reachesBack(high + slack))) slack *= 2;
  return high + slack;
}
