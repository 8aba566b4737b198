import { formatTimestamp, timestampFromMs } from '@logtool/kube/src/values/timestamp.ts';
import { type BucketCount, COUNTED_LEVELS } from '../../../domain/coverage/scan.ts';
import type { OutputPlan } from '../../plan/logs/logs-plan.ts';
import { createTimeFormat } from '../format/time-format.ts';
import type { LogCounts } from './log-counts.ts';

export interface CountTextOptions extends Pick<OutputPlan, 'format' | 'header' | 'timezone'> {
  /** Filters omit some records, so show the number of matches beside the number of all records. */
  readonly filtered: boolean;
  /** What was counted: whole records, or each of their lines. */
  readonly noun: 'records' | 'lines';
}

/** Maximum rows with empty buckets; above it, only buckets with a record are shown. */
const MAX_ROWS = 5_000;
const SEPARATORS = { csv: [',', '\r\n'], tsv: ['\t', '\n'] } as const;

/** Formats counts as a table, as CSV or TSV, or as one JSON object. */
export function countText(counts: LogCounts, options: CountTextOptions): string {
  switch (options.format) {
    case 'json':
      return jsonText(counts, options);
    case 'csv':
    case 'tsv':
      return separatedText(counts, options, SEPARATORS[options.format]);
    case 'pretty':
    case 'raw':
    case 'template':
    case 'text':
      return tableText(counts, options);
  }
}

/** Omits levels without a record. */
function tableText(counts: LogCounts, { header, timezone, filtered, noun }: CountTextOptions): string {
  const buckets = counts.rows(MAX_ROWS);
  const shown = COUNTED_LEVELS.map((_, index) => index).filter((index) =>
    buckets.some(({ matches }) => matches[index] !== 0),
  );
  const time = createTimeFormat(timezone);
  const sums = filtered ? ['MATCHES', noun.toUpperCase()] : [noun.toUpperCase()];
  const head = ['FROM', ...shown.map((index) => COUNTED_LEVELS[index]!.toUpperCase()), ...sums];
  const body = buckets.map((bucket) => [
    timeText(time.format(timestampFromMs(bucket.fromMs)), counts.bucketMs),
    ...shown.map((index) => String(bucket.matches[index])),
    ...(filtered ? [sumOf(bucket.matches)] : []).map(String),
    String(sumOf(bucket.lines)),
  ]);
  const total = [
    'total',
    ...shown.map((index) => String(sumOf(buckets.map(({ matches }) => matches[index] ?? 0)))),
    ...(filtered ? [String(counts.matches)] : []),
    String(counts.records),
  ];
  return aligned([...(header ? [head] : []), ...body, total]);
}

/** Aligns texts left and numbers right. */
function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('  ');
  return rows.map((row) => `${line(row)}\n`).join('');
}

/** Omits digits that are zero in every bucket. */
function timeText(text: string, bucketMs: number): string {
  return text.replace(/\.(\d{3})\d{6}/, bucketMs % 1000 === 0 ? '' : '.$1');
}

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, count) => sum + count, 0);

function separatedText(
  counts: LogCounts,
  { header, timezone, noun }: CountTextOptions,
  [separator, end]: readonly [string, string],
): string {
  const time = createTimeFormat(timezone);
  const head = ['from', ...COUNTED_LEVELS, 'matches', noun];
  const rows = counts
    .rows(MAX_ROWS)
    .map(({ fromMs, lines, matches }) => [
      timeText(time.format(timestampFromMs(fromMs)), counts.bucketMs),
      ...matches,
      sumOf(matches),
      sumOf(lines),
    ]);
  return [...(header ? [head] : []), ...rows].map((row) => row.join(separator) + end).join('');
}

function jsonText(counts: LogCounts, { noun }: CountTextOptions): string {
  const levels = (bucket: BucketCount) =>
    Object.fromEntries(COUNTED_LEVELS.map((level, index) => [level, bucket.matches[index] ?? 0]));
  const { range, incomplete, unread, lost } = counts;
  const value = {
    from: range.from && formatTimestamp(range.from),
    to: range.to && formatTimestamp(range.to),
    bucketMs: counts.bucketMs,
    [noun]: counts.records,
    matches: counts.matches,
    buckets: counts.rows(MAX_ROWS).map((bucket) => ({
      from: formatTimestamp(timestampFromMs(bucket.fromMs)),
      [noun]: sumOf(bucket.lines),
      matches: sumOf(bucket.matches),
      levels: levels(bucket),
    })),
    incomplete: [
      ...incomplete.map(({ target: { namespace, pod, container }, counted }) => ({
        namespace,
        pod,
        container,
        countedTo: counted?.to && formatTimestamp(counted.to),
      })),
      ...unread.map(missingJson),
    ],
    lost: lost.map(missingJson),
  };
  return `${JSON.stringify(value)}\n`;
}

/** The time of a container whose records may be missing, and why. */
function missingJson({ target: { namespace, pod, container }, from, to, cause }: LogCounts['lost'][number]) {
  return {
    namespace,
    pod,
    container,
    from: from && formatTimestamp(from),
    to: to && formatTimestamp(to),
    cause: cause.code,
  };
}
