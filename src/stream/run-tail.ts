import type { RecordMatcher } from '../domain/filter.ts';
import type { LogRecord } from '../domain/record.ts';
import { compareRecords } from '../domain/record.ts';
import type { Timestamp } from '../domain/timestamp.ts';
import { compareTimestamps } from '../domain/timestamp.ts';
import type { Bound } from '../domain/window.ts';
import { boundTime, isBehindTo } from './bounds.ts';
import { firstTime } from './first-record.ts';
import { detach } from './line-parser.ts';
import { LOOKAHEAD_RECORDS } from './lookahead.ts';
import type { Position } from './position.ts';
import type { ReadContext } from './read-context.ts';
import type { RunAddress } from './run-address.ts';
import type { RunOutcome } from './run-outcome.ts';
import { RunReader } from './run-reader.ts';

/** Some runtimes cut lines into fragments smaller than 16 KiB; the count of a tail is of fragments. */
const SMALLEST_FRAGMENT_BYTES = 4096;
/** tailLines is an int64 for the API, but no log has more lines than this. */
const MOST_LINES = 2 ** 40;
/** How near the search for a point of time must come, in lines. */
const NEAR_LINES = 256;
/** So many times the lines that are wanted are kept before a guess is known to be wrong. */
const MOST_ROOMS = 4;
const NO_BYTES = new Uint8Array(0);
/** So many records are kept in any case: where an answer begins, and what is certain of it, is told by them. */
const EDGE_RECORDS = LOOKAHEAD_RECORDS + 2;
/** In the place of the message of a record that did not match: only its time is needed. */
export const LEFT_OUT = new Uint8Array(0);

export interface RunTailOptions {
  readonly to: Bound | undefined;
  readonly giveUnterminated: boolean;
  readonly confirmRun: boolean;
  readonly thenFollow: boolean;
  /** About how many lines of a run (keyText) lie behind `to`. */
  readonly behindTo?: ReadonlyMap<string, number> | undefined;
  /** Keep the times of the records only. */
  readonly timesOnly?: boolean | undefined;
  /** What a record must match for its message to be kept; the others are LEFT_OUT. */
  readonly keeps?: RecordMatcher | undefined;
  /** Of the records that are LEFT_OUT keep the first ones and the earliest; the others are counted. */
  readonly isSparse?: boolean | undefined;
}

/** The last records of one run up to a point. */
export interface RunTail {
  /** In the total order, and none between them is missing but those that were only counted. */
  readonly records: readonly LogRecord[];
  /** How many there are, with those that were only counted. */
  readonly count: number;
  /** They begin with the first record that the cluster has. */
  readonly whole: boolean;
  /** A record behind the point was seen. */
  readonly further: boolean;
  readonly outcome: RunOutcome | undefined;
  readonly position: Position;
  readonly bytes: number;
}

/**
 * Reads the last records of a run, at least `want` of them where it has as many. tailLines counts fragments of long
 * lines, so the first line of a full answer may be the end of one: it is dropped, and more is asked for where joined
 * lines are too few (test/recorded/pods-log/tail-counts-fragments-*.json).
 */
export async function readRunTail(
  context: ReadContext,
  run: RunAddress,
  want: number,
  options: RunTailOptions,
): Promise<RunTail> {
  const guess = options.behindTo?.get(run.source.keyText);
  const guessed = guess === undefined ? undefined : await readGuessed(context, run, want, guess, options);
  if (guessed !== undefined) return guessed;
  const behind = options.to === undefined ? 0 : await linesBehind(context, run, options.to, want);
  let ask = Math.min(MOST_LINES, want + LOOKAHEAD_RECORDS + 1 + behind);
  let before: AnswerStart | undefined;
  for (;;) {
    const answer = await readOnce(context, run, ask, options);
    const isSame = before !== undefined && sameStart(before, startOf(answer));
    const tail = tailOf(answer, ask, options, isSame);
    if (tail.whole || tail.count >= want || !endedWell(answer.outcome)) return tail;
    before = startOf(answer);
    ask = Math.min(MOST_LINES, ask * 2);
  }
}

/** Reads where the last lines before a point are thought to be. Undefined: they are not there. */
async function readGuessed(
  context: ReadContext,
  run: RunAddress,
  want: number,
  guess: number,
  options: RunTailOptions,
): Promise<RunTail | undefined> {
  const room = want + LOOKAHEAD_RECORDS + 1 + NEAR_LINES;
  const ask = Math.min(MOST_LINES, room + guess);
  const answer = await readOnce(context, run, ask, options, room * MOST_ROOMS);
  if (answer.isTooLong) return undefined;
  const tail = tailOf(answer, ask, options, false);
  return tail.whole || tail.count >= want || !endedWell(answer.outcome) ? tail : undefined;
}

function tailOf(answer: TailAnswer, ask: number, { to }: RunTailOptions, isSame: boolean): RunTail {
  const whole = answer.fragments < ask || isSame || ask >= MOST_LINES;
  const records = whole ? answer.lines.toSorted(compareRecords) : certainPart(answer.lines);
  const inside = cutBehind(records, to);
  // What was only counted lies behind the first ones, hence behind what is not certain of them, and before `to`.
  return { ...answer, records: inside, count: inside.length + answer.counted, whole };
}

interface TailAnswer {
  readonly lines: readonly LogRecord[];
  /** Records that are not among them, as they did not match. */
  readonly counted: number;
  /** Length of the first one, which may be the end of a long line. */
  readonly firstBytes: number;
  /** The most entries of the file that the answer can be made of; infinite where it was not read to its end. */
  readonly fragments: number;
  readonly further: boolean;
  /** It has more lines than were to be kept. */
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
  mostLines = Number.POSITIVE_INFINITY,
): Promise<TailAnswer> {
  const reader = new RunReader(context, run, { start: { tailLines: ask }, ...options });
  const lines: LogRecord[] = [];
  let firstBytes: number | undefined;
  let fragments = 0;
  let bytes = 0;
  let behind = 0;
  let counted = 0;
  let earliest: LogRecord | undefined;
  reading: for await (const batch of reader.batches()) {
    for (const record of batch) {
      firstBytes ??= record.message.length;
      fragments += 1 + Math.floor(record.message.length / SMALLEST_FRAGMENT_BYTES);
      bytes += record.message.length;
      if (isBehindTo(record.at, options.to)) {
        // Only as many as a line may lie behind its place; the first stays, to tell that there are more.
        behind++;
        if (behind > LOOKAHEAD_RECORDS) {
          fragments = Number.POSITIVE_INFINITY;
          break reading;
        }
        if (behind > 1) continue;
      }
      const line = kept(record, options);
      if (options.isSparse && line.message === LEFT_OUT && lines.length >= EDGE_RECORDS) {
        counted++;
        if (earliest === undefined || compareRecords(line, earliest) < 0) earliest = line;
      } else {
        lines.push(line);
      }
      if (lines.length + counted > mostLines) break reading;
    }
  }
  // Whatever comes in front of all others tells how far back the answer is known.
  if (earliest !== undefined) {
    lines.push(earliest);
    counted--;
  }
  const { outcome, position } = reader;
  const isTooLong = lines.length + counted > mostLines;
  return {
    ...{ lines, counted, firstBytes: firstBytes ?? 0, fragments, further: behind > 0 },
    ...{ isTooLong, outcome, position, bytes },
  };
}

function kept(record: LogRecord, { timesOnly, keeps }: RunTailOptions): LogRecord {
  if (timesOnly) return { ...record, message: NO_BYTES };
  return keeps === undefined || keeps(record) ? detach(record) : { ...record, message: LEFT_OUT };
}

function endedWell(outcome: RunOutcome | undefined): boolean {
  return outcome === undefined || outcome.kind === 'complete';
}

/**
 * Whether an answer begins where the one before it did, though twice as much was asked for: there is no more. The same
 * time is not enough, for a runtime may give all fragments of a line the time of the first. Meanwhile one short line may
 * have been written, and no more: as many as were asked for could take the place of those in front.
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

/** What tells where an answer began; the lines themselves are let go before more are asked for. */
interface AnswerStart {
  readonly at: Timestamp | undefined;
  readonly firstBytes: number;
  readonly count: number;
  readonly bytes: number;
}

function startOf({ lines, counted, firstBytes, bytes }: TailAnswer): AnswerStart {
  return { at: lines[0]?.at, firstBytes, count: lines.length + counted, bytes };
}

/** Of the last lines of a longer log, those that no line in front of them can come between. */
function certainPart(lines: readonly LogRecord[]): readonly LogRecord[] {
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

function cutBehind(records: readonly LogRecord[], to: Bound | undefined): readonly LogRecord[] {
  return to === undefined ? records : records.filter((record) => !isBehindTo(record.at, to));
}

/**
 * About how many lines of the log lie behind a point. Reading by time makes the node read the whole file, reading by
 * count does not (test/recorded/pods-log/size-1GB-*.json); so the count is searched for, by looking at the first line
 * only: a page before a point costs about the same wherever the point is.
 */
async function linesBehind(context: ReadContext, run: RunAddress, to: Bound, want: number): Promise<number> {
  const at = boundTime(to);
  const isOlder = async (lines: number) => {
    const first = await firstTime(context, run, lines);
    return first === undefined || compareTimestamps(first, at) < 0;
  };
  const near = Math.max(NEAR_LINES, want);
  let low = 0;
  let high = near;
  if (await isOlder(high)) return high;
  const first = await firstTime(context, run);
  if (first === undefined || compareTimestamps(first, at) >= 0) return 0;
  do {
    low = high;
    high *= 8;
  } while (high < MOST_LINES && !(await isOlder(high)));
  while (high - low > near) {
    const middle = Math.floor((low + high) / 2);
    if (await isOlder(middle)) high = middle;
    else low = middle;
  }
  return high;
}
