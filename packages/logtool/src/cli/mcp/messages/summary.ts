import type { RecordLine } from '../answer/record-line.ts';

export const STOPPED_NOTE =
  'reading took too long and stopped here; narrow the range, or continue at the cursor';
export const NO_SUCH_ID_NOTE =
  'no record of that time has this id: an id holds while logtool runs; the position is before all records of the time';
const READABLE = '; the notes list what logtool could not read';

/** Summarizes a page. */
export function summaryText({
  lines,
  end,
  isTruncated,
  isWhole,
  containers,
}: {
  readonly lines: readonly RecordLine[];
  readonly end: 'head' | 'tail';
  readonly isTruncated: boolean;
  /** Nothing is known to be missing from what was read. */
  readonly isWhole: boolean;
  readonly containers: number;
}): string {
  const of = containers === 1 ? '1 container' : `${containers} containers`;
  const [first, last] = [lines[0], lines.at(-1)];
  if (first === undefined || last === undefined)
    return isTruncated
      ? `no record of ${of} fits into max_bytes`
      : `no records of ${of} in this range match${isWhole ? '' : READABLE}`;
  const count = lines.length === 1 ? '1 record' : `${lines.length} records`;
  const range = `${first.fields.time} to ${last.fields.time}`;
  if (!isTruncated && isWhole) return `all ${count} of ${of} in this range that match, ${range}`;
  if (!isTruncated) return `${count} of ${of} in this range that match, ${range}${READABLE}`;
  return end === 'head'
    ? `the first ${count} of ${of}, ${range}; more follow`
    : `the last ${count} of ${of}, ${range}; more come before`;
}

/** Summarizes the lines on both sides of a time. */
export function aroundText(before: number, after: number, containers: number): string {
  const of = containers === 1 ? '1 container' : `${containers} containers`;
  return `${before === 1 ? '1 record' : `${before} records`} before the cursor and ${after} from it on, of ${of}`;
}
