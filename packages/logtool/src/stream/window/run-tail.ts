import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { compareTimestamps } from '@logtool/kube/src/values/timestamp.ts';
import type { LogRecord } from '../../domain/record.ts';
import { compareRecords } from '../../domain/record.ts';
import { type Bound, boundTime, isAfterTo } from '../../domain/window.ts';
import type { ReadContext } from '../plan/read-context.ts';
import { firstTime } from '../run/first-record.ts';
import type { RunAddress } from '../run/open-log.ts';
import type { Position } from '../run/position.ts';
import { linesBack } from '../run/resume-query.ts';
import type { RunOutcome } from '../run/run-outcome.ts';
import { RunReader } from '../run/run-reader.ts';
import { ContextKeeper, type Neighbors } from './context-keeper.ts';
import { LOOKAHEAD_RECORDS } from './lookahead.ts';
import { linesFor } from './tail-ask.ts';
import { hasContext, type KeepPlan, MatchKeeper, type TailKeeper } from './tail-keeper.ts';
import type { TimeList } from './time-list.ts';

/** Some runtimes split lines into fragments smaller than 16 KiB; a tail counts fragments. */
const SMALLEST_FRAGMENT_BYTES = 4096;
/** tailLines is an int64 in the API, but no log has more lines than this. */
const MAX_LINES = 2 ** 40;
/** Accepted error of the search for a point in time, in lines. */
const NEAR_LINES = 256;
/** How many times the wanted lines may be kept before a guess counts as wrong. */
const MAX_ROOMS = 4;

interface RunTailOptions {
  readonly to: Bound | undefined;
  readonly giveUnterminated: boolean;
  readonly confirmRun: boolean;
  readonly thenFollow: boolean;
  /** Estimated lines of a run (keyText) after `to`. */
  readonly afterTo?: ReadonlyMap<string, number> | undefined;
  /** Which records to keep. */
  readonly keep: KeepPlan;
  readonly neighbors: Neighbors;
}

/** The last records of one run up to a point. */
export interface RunTail {
  /** In the total order, without gaps except those that need not be kept (KeepPlan). */
  readonly records: readonly LogRecord[];
  /** Their number, including those that were only counted. */
  readonly count: number;
  /** The times of records that were only counted (KeepPlan.tally). */
  readonly times: readonly TimeList[];
  /** They begin with the first record that the cluster has. */
  readonly whole: boolean;
  /** The time of the first record, kept or not. */
  readonly firstAt: Timestamp | undefined;
  /** A record after the point was seen. */
  readonly further: boolean;
  readonly outcome: RunOutcome | undefined;
  readonly position: Position;
  readonly bytes: number;
  /** False: the context could not be determined, so that the result is useless. */
  readonly isOrdered: boolean;
}

/**
 * Reads the last records of a run, at least `want` of them if it has that many. tailLines counts fragments of long
 * lines, so the first line of a full answer may be the end of one: it is dropped, and more is requested if joined lines
 * are too few (test/recorded/pods-log/tail-counts-fragments-*.json).
 */
export async function readRunTail(
  context: ReadContext,
  run: RunAddress,
  want: number,
  options: RunTailOptions,
): Promise<RunTail> {
  const guess = options.afterTo?.get(run.identity.keyText);
  const guessed = guess === undefined ? undefined : await readGuessed(context, run, want, guess, options);
  if (guessed !== undefined) return guessed;
  const later = options.to === undefined ? 0 : await linesAfter(context, run, options.to, want);
  let ask = Math.min(MAX_LINES, linesFor(want) + later);
  let before: AnswerStart | undefined;
  for (;;) {
    const answer = await readOnce(context, run, ask, options);
    if (!answer.isOrdered) return tailOf(answer, ask, options, false);
    const isSame = before !== undefined && sameStart(before, startOf(answer));
    const tail = tailOf(answer, ask, options, isSame);
    if (tail.whole || tail.count >= want || !endedWell(answer.outcome)) return tail;
    before = startOf(answer);
    ask = Math.min(MAX_LINES, ask * 2);
  }
}

/** Reads at the presumed position of the last lines before a point. Undefined: they are not there. */
async function readGuessed(
  context: ReadContext,
  run: RunAddress,
  want: number,
  guess: number,
  options: RunTailOptions,
): Promise<RunTail | undefined> {
  const room = linesFor(want) + NEAR_LINES;
  const ask = Math.min(MAX_LINES, room + guess);
  const answer = await readOnce(context, run, ask, options, room * MAX_ROOMS);
  if (answer.isTooLong) return undefined;
  const tail = tailOf(answer, ask, options, false);
  return tail.whole || !tail.isOrdered || tail.count >= want || !endedWell(answer.outcome) ? tail : undefined;
}

function tailOf(answer: TailAnswer, ask: number, { to }: RunTailOptions, isSame: boolean): RunTail {
  const whole = answer.fragments < ask || isSame || ask >= MAX_LINES;
  const records = whole ? answer.lines.toSorted(compareRecords) : certainRecords(answer.lines);
  const inside = cutAfter(records, to);
  // Records that were only counted arrived after the first ones, so they are later than the uncertain ones among those,
  // and before `to`.
  return { ...answer, records: inside, count: inside.length + answer.counted, whole };
}

interface TailAnswer {
  readonly lines: readonly LogRecord[];
  /** Number of records left out because they are not needed. */
  readonly counted: number;
  readonly times: readonly TimeList[];
  readonly isOrdered: boolean;
  /** Time and length of the first one, which may be the end of a long line. */
  readonly firstAt: Timestamp | undefined;
  readonly firstBytes: number;
  /** Maximum number of file entries that the answer can consist of; infinite if it was not read to its end. */
  readonly fragments: number;
  readonly further: boolean;
  /** It has more lines than the limit. */
  readonly isTooLong: boolean;
  readonly outcome: RunOutcome | undefined;
  readonly position: Position;
  readonly bytes: number;
}

async function readOnce(
  context: ReadContext,
  run: RunAddress,
  ask: number,
  options: RunTailOptions,
  maxLines = Number.POSITIVE_INFINITY,
): Promise<TailAnswer> {
  const reader = new RunReader(context, run, { start: { tailLines: ask }, ...options });
  const taker = new AnswerTaker(options, maxLines);
  for await (const batch of reader.batches()) {
    const prepared = options.keep.matches?.prepare?.(batch);
    if (prepared !== undefined) await prepared;
    if (!taker.take(batch)) break;
  }
  return { ...taker.end(), outcome: reader.outcome, position: reader.walk.position };
}

/** Takes the useful records of an answer. */
class AnswerTaker {
  readonly #to: Bound | undefined;
  readonly #keeper: TailKeeper;
  readonly #maxLines: number;
  #firstAt: Timestamp | undefined;
  #firstBytes: number | undefined;
  #fragments = 0;
  #bytes = 0;
  /** Number of records after the point. */
  #later = 0;

  constructor(options: RunTailOptions, maxLines: number) {
    this.#to = options.to;
    this.#keeper = keeperFor(options);
    this.#maxLines = maxLines;
  }

  /** Takes a batch; false if nothing after it is useful. */
  take(batch: readonly LogRecord[]): boolean {
    if (this.#to !== undefined) return batch.every((record) => this.#takeOne(record));
    for (const record of batch) this.#measure(record);
    this.#keeper.takeAll(batch);
    return this.#goesOn;
  }

  #measure({ at, message: { length } }: LogRecord): void {
    this.#firstAt ??= at;
    this.#firstBytes ??= length;
    this.#fragments += 1 + Math.floor(length / SMALLEST_FRAGMENT_BYTES);
    this.#bytes += length;
  }

  get #goesOn(): boolean {
    return this.#keeper.count <= this.#maxLines && this.#keeper.isOrdered;
  }

  #takeOne(record: LogRecord): boolean {
    this.#measure(record);
    const isAfter = isAfterTo(record.at, this.#to);
    if (isAfter && ++this.#later > LOOKAHEAD_RECORDS) {
      // No line is that far out of order.
      this.#fragments = Number.POSITIVE_INFINITY;
      return false;
    }
    // Keeps the first one, to show that more exist.
    if (isAfter && this.#later > 1) return true;
    this.#keeper.take(record, isAfter);
    return this.#goesOn;
  }

  end(): Omit<TailAnswer, 'outcome' | 'position'> {
    return {
      ...this.#keeper.end(),
      firstAt: this.#firstAt,
      firstBytes: this.#firstBytes ?? 0,
      fragments: this.#fragments,
      further: this.#later > 0,
      isTooLong: this.#keeper.count > this.#maxLines,
      bytes: this.#bytes,
    };
  }
}

function keeperFor({ keep, neighbors }: RunTailOptions): TailKeeper {
  return hasContext(keep) ? new ContextKeeper(keep, neighbors) : new MatchKeeper(keep);
}

function endedWell(outcome: RunOutcome | undefined): boolean {
  return outcome === undefined || outcome.kind === 'complete';
}

/**
 * Whether an answer begins where the previous one did, though twice as much was requested: no more exists. The same
 * time does not suffice, because a runtime may give all fragments of a line the time of the first. Allows one short
 * line written meanwhile, and no more: as many new lines as requested could replace earlier ones.
 */
function sameStart(before: AnswerStart, now: AnswerStart): boolean {
  if (before.at === undefined || now.at === undefined) return before.at === now.at;
  return (
    compareTimestamps(before.at, now.at) === 0 &&
    before.firstBytes === now.firstBytes &&
    now.count - before.count < 2 &&
    now.bytes - before.bytes < SMALLEST_FRAGMENT_BYTES
  );
}

/** Shows where an answer began; the lines themselves are released before more are requested. */
interface AnswerStart {
  readonly at: Timestamp | undefined;
  readonly firstBytes: number;
  readonly count: number;
  readonly bytes: number;
}

function startOf({ lines, counted, firstBytes, bytes }: TailAnswer): AnswerStart {
  return { at: lines[0]?.at, firstBytes, count: lines.length + counted, bytes };
}

/** Returns those of the last lines in a longer log that no unread line can precede. */
function certainRecords(lines: readonly LogRecord[]): readonly LogRecord[] {
  // The very first may be the end of a long line.
  const known = lines.slice(1);
  let floor = known[LOOKAHEAD_RECORDS];
  if (floor === undefined) return [];
  for (let index = LOOKAHEAD_RECORDS + 1; index < known.length; index++) {
    if (compareRecords(known[index]!, floor) < 0) floor = known[index]!;
  }
  const least = floor;
  return known.filter((record) => compareRecords(record, least) >= 0).sort(compareRecords);
}

function cutAfter(records: readonly LogRecord[], to: Bound | undefined): readonly LogRecord[] {
  return to === undefined ? records : records.filter((record) => !isAfterTo(record.at, to));
}

/** Estimates how many lines of the log follow a point, so that a page before it costs about the same for any point. */
async function linesAfter(context: ReadContext, run: RunAddress, to: Bound, want: number): Promise<number> {
  const at = boundTime(to);
  const isOlder = async (lines: number) => {
    const first = await firstTime(context, run, lines);
    return first === undefined || compareTimestamps(first, at) < 0;
  };
  const near = Math.max(NEAR_LINES, want);
  if (await isOlder(near)) return near;
  const first = await firstTime(context, run);
  if (first === undefined || compareTimestamps(first, at) >= 0) return 0;
  return (await linesBack(isOlder, { first: near * 8, above: near, near, max: MAX_LINES })) ?? MAX_LINES;
}
