import { stripSgrText } from '../../domain/ansi.ts';
import type { FilterPlan, RecordMatcher } from '../../domain/filter.ts';
import type { Span } from '../../domain/find-spans.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { BatchFilter } from './batch-filter.ts';
import { batchMatches } from './batch-matches.ts';
import { compileSearch } from './compile-search.ts';
import { ContextLines, type Emit, shownOf } from './context-lines.ts';
import { createMatcher } from './create-matcher.ts';
import { compilePattern } from './pattern.ts';
import { RecordLines } from './record-lines.ts';
import { createRecordTests, type RecordTests } from './record-tests.ts';
import type { MatchUse } from './thread-match.ts';
import { withFields } from './with-fields.ts';

/** Compiled content filters. One for a view; its state is in the result of `open`. */
export interface RecordFilter {
  /** Whether a record passes by itself, without context. */
  readonly matches: RecordMatcher;
  /**
   * Returns a fresh filter over batches of records, with the context lines of each container. Records of one container
   * must come in their order; a match comes with the lines before it, so if batches mix containers they may come after
   * later lines of another container. `onLost` receives a match whose earlier lines had to be dropped.
   */
  readonly open: (onLost?: (match: LogRecord, lost: number) => void) => BatchFilter;
  /**
   * Returns where the grep pattern matches a text, for highlighting; in the given text, colors included. Returns
   * nothing if the pattern is so large that a thread matches it.
   */
  readonly matchSpans: (text: string) => readonly Span[];
  /** How records are filtered as a whole, if they are. */
  readonly records?: RecordTests | undefined;
}

/** The user of a command. */
const SINGLE_USER: MatchUse = { person: '', signal: undefined };

/**
 * Compiles the content filters of a plan. A record passes if its message, without colors, matches `grep` and all of
 * `also`, matches none of `exclude`, meets all `fields`, and its level is one of `levels` (`none`: it has none). Compiles
 * and matches large patterns in a thread. Throws usage errors for invalid or too large patterns, and
 * `too-many-patterns`. `onCut` receives each record of which only the beginning is matched although the rest may change
 * the answer, and the number of bytes.
 */
export async function compileFilter(
  plan: FilterPlan,
  use: MatchUse = SINGLE_USER,
  onCut?: (record: LogRecord, bytes: number) => void,
): Promise<RecordFilter> {
  if (plan.wholeRecords === true) return recordFilter(plan, use, onCut);
  const sought = compileSearch({ search: undefined, fields: plan.fields ?? [] });
  const matcher = withFields(await createMatcher(plan, use, onCut), sought);
  const { include } = matcher;
  const matching = batchMatches(matcher);
  const { prepare } = matcher.matches;
  const matches = Object.assign(matcher.matches, { among: matching });

  return {
    matches,
    open: (onLost) => {
      if (plan.beforeContext === 0 && plan.afterContext === 0)
        return Object.assign((records: readonly LogRecord[]) => matching(records), { prepare });
      const lines = new ContextLines(plan.beforeContext, plan.afterContext, undefined, onLost);
      const mark = (records: readonly LogRecord[], reported: Emit) => {
        const passed = new Set(matching(records));
        for (const record of records) lines.add(record, passed.has(record), reported);
      };
      const filter = (records: readonly LogRecord[]) => {
        const out: LogRecord[] = [];
        mark(records, (record, role) => {
          if (role !== undefined) out.push(record);
        });
        return out;
      };
      const prime = (records: readonly LogRecord[], shown: ReadonlySet<LogRecord>) => {
        for (const record of records) lines.take(record, shown.has(record), []);
      };
      const following = () => plan.afterContext;
      return Object.assign(filter, { prepare, context: { prime, mark, following, prepare } });
    },
    matchSpans: (text) => {
      if (include === undefined) return [];
      const plain = stripSgrText(text);
      return include.spans(plain.text).map((span) => inText(span, plain.at));
    },
  };
}

/** Returns a filter of whole records. */
async function recordFilter(
  plan: FilterPlan,
  use: MatchUse,
  onCut: ((record: LogRecord, bytes: number) => void) | undefined,
): Promise<RecordFilter> {
  const records = await createRecordTests(plan, use, onCut);
  const { candidate } = records;
  const { prepare } = candidate;
  return {
    matches: candidate,
    records,
    open: () => {
      const waiting = new RecordLines(records);
      const mark = (batch: readonly LogRecord[], reported: Emit) => waiting.addAll(batch, reported);
      const filter = (batch: readonly LogRecord[]) => shownOf((reported) => mark(batch, reported));
      const prime = (batch: readonly LogRecord[]) => {
        mark(batch, ignore);
        waiting.settleAll(ignore);
      };
      const following = (match: LogRecord) => waiting.following(match);
      return Object.assign(filter, { prepare, context: { prime, mark, following, waiting, prepare } });
    },
    matchSpans: () => [],
  };
}

const ignore = () => undefined;

/** The last character's position decides the end: colors after it are not part of the match. */
function inText({ start, end }: Span, at: (index: number) => number): Span {
  return { start: at(start), end: at(end - 1) + 1 };
}

/**
 * Returns a finder of everything that one of several patterns matches, for `--highlight`: spans from left to right,
 * joined where they touch or overlap. Throws usage errors for invalid patterns.
 */
export async function compileHighlight(
  patterns: readonly string[],
  ignoreCase: boolean,
): Promise<(text: string) => readonly Span[]> {
  const compiled = await Promise.all(
    patterns.map((pattern) => compilePattern(pattern, ignoreCase, 'highlight')),
  );
  return (text) => {
    const plain = stripSgrText(text);
    const spans = compiled.flatMap((pattern) => pattern.spans(plain.text));
    return joinSpans(spans).map((span) => inText(span, plain.at));
  };
}

/** Returns the same spans as one list without overlaps. */
export function joinSpans(spans: readonly Span[]): readonly Span[] {
  const joined: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = joined.at(-1);
    if (last === undefined || span.start > last.end) joined.push(span);
    else if (span.end > last.end) joined[joined.length - 1] = { start: last.start, end: span.end };
  }
  return joined;
}
