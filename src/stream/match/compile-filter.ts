import { stripSgr, stripSgrText } from '../../domain/ansi.ts';
import type { FilterPlan, RecordMatcher } from '../../domain/filter.ts';
import type { Span } from '../../domain/find-spans.ts';
import { detectLevel } from '../../domain/level.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { BatchFilter } from '../window-result.ts';
import { ContextLines, type Place } from './context-lines.ts';
import { compilePattern } from './pattern.ts';
import { checkQuerySize } from './pattern-limits.ts';
import { placesWith } from './places-with.ts';

/** Where the needle is in many lines, so many batches are tested line by line before it is looked for again. */
const BATCHES_TESTED = 100;
/** What colours begin with. */
const ESCAPE = Buffer.from([0x1b]);

/** Content filters, compiled. One for a view; its state lives in what `open` returns. */
export interface RecordFilter {
  /** Whether a record passes by itself, context aside. */
  readonly matches: RecordMatcher;
  /**
   * A fresh filter over batches of records, with the context lines of each container. Records of one container must
   * come in their order; lines before a match are given out with it, so that where batches mix containers they may
   * come after later lines of another container. `onLost` is told of a match in front of which lines had to be let go.
   */
  readonly open: (onLost?: (match: LogRecord, lost: number) => void) => BatchFilter;
  /** Where the grep pattern matches a text, for highlighting; in the text as given, colours included. */
  readonly matchSpans: (text: string) => readonly Span[];
}

/**
 * Compiles the content filters of a plan. A record passes when its message, colours removed, matches `grep`, matches
 * none of `exclude`, and its level is one of `levels` (a line without a level has none of them). Throws usage errors
 * of patterns that cannot be read.
 */
export async function compileFilter(plan: FilterPlan): Promise<RecordFilter> {
  const { grep, ignoreCase } = plan;
  checkQuerySize(grep === undefined ? plan.exclude : [grep, ...plan.exclude], ignoreCase);
  const include = grep === undefined ? undefined : await compilePattern(grep, ignoreCase, '--grep');
  const excludes = await Promise.all(
    plan.exclude.map((pattern) => compilePattern(pattern, ignoreCase, '--exclude')),
  );
  const levels = new Set(plan.levels);

  const matches: RecordMatcher = ({ message }) => {
    const plain = stripSgr(message);
    const bytes = Buffer.from(plain.buffer, plain.byteOffset, plain.byteLength);
    if (include !== undefined && !include.test(bytes)) return false;
    if (excludes.some((exclude) => exclude.test(bytes))) return false;
    if (levels.size === 0) return true;
    const level = detectLevel(plain);
    return level !== undefined && levels.has(level);
  };

  const needle = include?.needle;
  const needles = needle === undefined ? undefined : [needle, ESCAPE];
  let batchesToTest = 0;
  /** Tests only the records that can match: what a needle is looked for in may be parted by colours. */
  const matching = (records: readonly LogRecord[]): readonly LogRecord[] => {
    if (needles === undefined || batchesToTest-- > 0) return records.filter(matches);
    const possible = placesWith(needles, records);
    if (possible.length > records.length / 4) batchesToTest = BATCHES_TESTED;
    return possible.map((place) => records[place]!).filter(matches);
  };

  return {
    matches,
    open: (onLost) => {
      if (plan.beforeContext === 0 && plan.afterContext === 0) return matching;
      const lines = new ContextLines(plan.beforeContext, plan.afterContext, undefined, onLost);
      const place = (records: readonly LogRecord[], told: Place) => {
        const passed = new Set(matching(records));
        for (const record of records) lines.place(record, passed.has(record), told);
      };
      const filter = (records: readonly LogRecord[]) => {
        const out: LogRecord[] = [];
        place(records, (record, part) => {
          if (part !== undefined) out.push(record);
        });
        return out;
      };
      return Object.assign(filter, { context: { lines, place } });
    },
    matchSpans: (text) => {
      if (include === undefined) return [];
      const plain = stripSgrText(text);
      return include.spans(plain.text).map((span) => inText(span, plain.at));
    },
  };
}

/** The last character's place decides the end: what colours stand behind it are not part of the match. */
function inText({ start, end }: Span, at: (index: number) => number): Span {
  return { start: at(start), end: at(end - 1) + 1 };
}

/**
 * Finds all that one of several patterns matches, for `--highlight`: spans from left to right, joined where they
 * touch or overlap. Throws usage errors of patterns that cannot be read.
 */
export async function compileHighlight(
  patterns: readonly string[],
  ignoreCase: boolean,
): Promise<(text: string) => readonly Span[]> {
  const compiled = await Promise.all(
    patterns.map((pattern) => compilePattern(pattern, ignoreCase, '--highlight')),
  );
  return (text) => {
    const plain = stripSgrText(text);
    const spans = compiled.flatMap((pattern) => pattern.spans(plain.text));
    return joinSpans(spans).map((span) => inText(span, plain.at));
  };
}

/** The same places as one list without overlaps. */
export function joinSpans(spans: readonly Span[]): readonly Span[] {
  const joined: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || a.end - b.end)) {
    const last = joined.at(-1);
    if (last === undefined || span.start > last.end) joined.push(span);
    else if (span.end > last.end) joined[joined.length - 1] = { start: last.start, end: span.end };
  }
  return joined;
}
