import { LEVELS } from '../../domain/filter.ts';
import { levelIndex } from '../../domain/level.ts';
import type { LogRecord } from '../../domain/record.ts';
import { MAX_SHAPE_TEXT, shapeOf } from '../../domain/records/line-shape.ts';
import type { ShapedLine } from '../../domain/records/open-record.ts';
import { levelOfRecord } from '../../domain/records/record-summary.ts';

/** A line as the rules of records see it. */
export interface LevelledLine extends ShapedLine {
  readonly record: LogRecord;
  /** Its own, an index of LEVELS (LEVELS.length: none). */
  readonly level: number;
  /** Whether the pattern matches it; undefined: that was not tested yet. */
  readonly isMatch: boolean | undefined;
}

const ERROR = LEVELS.indexOf('error');
const decoder = new TextDecoder('latin1');

/** A line with the level that it names. */
export function levelledLine(record: LogRecord, isMatch?: boolean): LevelledLine {
  return lineOf(record, levelIndex(record.message), isMatch);
}

/**
 * The same without its level, which takes longest to read: a line that `levelledLine` says is plain may be an alarm
 * here, and its level is not to be used.
 */
export function unlevelledLine(record: LogRecord, isMatch?: boolean): LevelledLine {
  return lineOf(record, ERROR, isMatch);
}

function lineOf(record: LogRecord, level: number, isMatch: boolean | undefined): LevelledLine {
  const { message, at } = record;
  const shape = shapeOf(headText(record), level);
  return { record, level, shape, bytes: message.length, seconds: at.seconds, nanos: at.nanos, isMatch };
}

/** What shows the shape of a line. */
export function headText({ message }: LogRecord): string {
  // One more shows that there is more.
  return decoder.decode(message.subarray(0, MAX_SHAPE_TEXT + 1));
}

/** The level of the record that these lines are, an index of LEVELS. */
export function levelOfLines(lines: readonly LevelledLine[], isJson: boolean): number {
  const levels = lines.map(({ level }) => level);
  return lines.length === 1 ? levels[0]! : levelOfRecord(levels, isJson);
}
