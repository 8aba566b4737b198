import { formatTimestamp, timestampFromMs, timestampToMs } from '@logtool/kube/src/values/timestamp.ts';
import { z } from 'zod';
import { BUCKET_WIDTHS_MS, type BucketCount, COUNTED_LEVELS } from '../../../domain/coverage/scan.ts';
import { isFiltering } from '../../../domain/filter.ts';
import { LogCounts } from '../../output/counts/log-counts.ts';
import type { CountPlan } from '../../plan/logs/logs-plan.ts';
import { type Answer, composeText, fitNotes, shrinkToFit } from '../answer/compose.ts';
import { incompleteText, totalText } from '../messages/counts.ts';
import { DESCRIPTIONS } from '../messages/descriptions.ts';
import { ANSWER_FIELDS } from '../messages/fields.ts';
import { noteText } from '../messages/notes.ts';
import { planCounts } from '../plan-read.ts';
import { readCounts } from '../read-counts.ts';
import { FILTERS, MAX_BYTES_ARGUMENT, NOTES, SOURCE } from './arguments.ts';
import { tool } from './tool.ts';

const FIELDS = ANSWER_FIELDS.count;

const MAX_BUCKETS = 60;
const MAX_ROWS = 2_000;

export const count = tool({
  name: 'count',
  ...DESCRIPTIONS.count,
  input: z.object({
    source: SOURCE,
    ...FILTERS,
    bucket: z.string().max(20).optional().describe(FIELDS.bucket),
    max_bytes: MAX_BYTES_ARGUMENT,
  }),
  output: z.object({
    summary: z.string(),
    records: z.int(),
    matches: z.int(),
    bucketMs: z.number(),
    buckets: z.array(
      z.object({
        from: z.string(),
        records: z.int(),
        matches: z.int(),
        levels: z.record(z.string(), z.int()).describe(FIELDS.levels),
      }),
    ),
    truncated: z.boolean().describe(FIELDS.truncated),
    notes: NOTES,
  }),
  async call(reader, given, signal) {
    const client = await reader.client();
    const plan = await planCounts(reader, client, given);
    const counts = new LogCounts(plan.count.range);
    const bucketMs = plan.count.bucketMs ?? widthFor(plan.count, reader.clock.now());
    const { troubles, containers } = await readCounts(reader, client, { plan, bucketMs, counts }, signal);
    if (plan.count.bucketMs === undefined) counts.widenTo(MAX_BUCKETS);
    const notes = [
      ...counts.incomplete.map(({ target, counted }) => incompleteText(target, counted)),
      ...troubles.map(noteText),
    ];
    return countAnswer(counts, {
      containers,
      notes,
      isFiltered: isFiltering(plan.engine.filter),
      maxBytes: given.max_bytes,
    });
  },
});

/** Returns the narrowest width with which the maximum number of buckets covers the range. */
function widthFor({ range: { from, to } }: CountPlan, nowMs: number): number {
  const fromMs = from === undefined ? undefined : timestampToMs(from);
  const spanMs = fromMs === undefined ? 0 : timestampToMs(to ?? timestampFromMs(nowMs)) - fromMs;
  return (
    BUCKET_WIDTHS_MS.find((width) => width >= 1000 && width * MAX_BUCKETS >= spanMs) ??
    BUCKET_WIDTHS_MS.at(-1)!
  );
}

interface CountFacts {
  readonly containers: number;
  readonly notes: readonly string[];
  readonly isFiltered: boolean;
  readonly maxBytes: number;
}

/** Answers with the buckets that fit, the newest if not all do. */
function countAnswer(counts: LogCounts, facts: CountFacts): Answer {
  const rows = counts
    .rows(MAX_ROWS)
    .map(bucketOf)
    .filter(({ records }) => records > 0);
  return shrinkToFit(rows.length, facts.maxBytes, (kept) =>
    answerOf(counts, rows.slice(rows.length - kept), rows.length - kept, facts),
  );
}

type Bucket = ReturnType<typeof bucketOf>;

function answerOf(counts: LogCounts, buckets: readonly Bucket[], left: number, facts: CountFacts): Answer {
  const { records, matches, bucketMs } = counts;
  const isIncomplete = counts.incomplete.length + counts.unread.length > 0;
  const summary = totalText({ records, matches, bucketMs, left, isIncomplete, ...facts });
  const notes = fitNotes(facts.notes, facts.maxBytes);
  const head = [summary, ...buckets.map((bucket) => bucketLine(bucket, facts.isFiltered))];
  return {
    text: composeText({ head, notes, data: [] }, ''),
    structured: { summary, records, matches, bucketMs, buckets, truncated: left > 0 || isIncomplete, notes },
  };
}

function bucketOf({ fromMs, lines, matches }: BucketCount) {
  const levels = COUNTED_LEVELS.map((level, index) => [level, matches[index] ?? 0] as const);
  return {
    from: formatTimestamp(timestampFromMs(fromMs)).replace(/\.000000000(?=Z)/, ''),
    records: sum(lines),
    matches: sum(matches),
    levels: Object.fromEntries(levels.filter(([, number]) => number > 0)),
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** `2026-11-21T10:00:00Z 120 records: 3 error, 117 info` */
function bucketLine({ from, records, matches, levels }: Bucket, isFiltered: boolean): string {
  const shown = Object.entries(levels).map(([level, number]) => `${number} ${level}`);
  const total = isFiltered ? `${matches} of ${records}` : `${records}`;
  return `${from} ${total}${shown.length === 0 ? '' : `: ${shown.join(', ')}`}`;
}
