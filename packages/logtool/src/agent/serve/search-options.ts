import { type OptionProblem, optionsNotValid } from '../../agent-api/status/log-status.ts';
import type { Status } from '../../agent-api/status/status.ts';
import { BUCKET_WIDTHS_MS } from '../../domain/coverage/scan.ts';
import { parseDuration } from '../../domain/duration.ts';
import { type FilterPlan, LEVELS, type Level } from '../../domain/filter.ts';
import { bothGiven, isSet, readIntegers, tooSmall, unsupported } from './log-options.ts';

/** What to search for, or to count. */
export interface SearchOptions {
  readonly filter: FilterPlan;
  /** Bytes of text after which the search ends. */
  readonly maxScan: number | undefined;
  /** Width of the buckets of a count; undefined: the matching lines are wanted. */
  readonly bucketMs: number | undefined;
}

const OF_SEARCH = ['grep', 'exclude', 'level', 'context', 'maxScan', 'count'] as const;
/** They choose lines to show, which a count does not. */
const NOT_OF_COUNT = ['limit', 'direction', 'context'] as const;
const MAX_CONTEXT = 10_000;

/**
 * Reads what a request searches for: `grep`, `exclude` (repeatable), `ignoreCase`, `level` (repeatable, or a list with
 * commas), `context` lines on both sides, `maxScan`; or counts: `count`, a width. Undefined: it does neither.
 */
export function readSearchOptions(
  query: URLSearchParams,
  pod: string,
): SearchOptions | undefined | { readonly status: Status } {
  if (!OF_SEARCH.some((name) => query.has(name))) return undefined;
  const numbers = readIntegers(query, ['context', 'maxScan']);
  if ('status' in numbers) return numbers;
  const levels = query.getAll('level').flatMap((text) => text.split(','));
  const width = query.get('count');
  const bucketMs = width === null ? undefined : widthOf(width);
  const { context = 0, maxScan } = numbers;
  const problems: readonly OptionProblem[] = [
    ...levels.flatMap((level) => unsupported('level', level, LEVELS)),
    ...tooSmall('context', context, 0),
    ...(context > MAX_CONTEXT ? unsupported('context', String(context), [`0 to ${MAX_CONTEXT}`]) : []),
    ...tooSmall('maxScan', maxScan, 1),
    ...(width === null || bucketMs !== undefined ? [] : unsupported('count', width, WIDTHS)),
    ...NOT_OF_COUNT.flatMap((name) => bothGiven(['count', bucketMs], [name, query.get(name) ?? undefined])),
  ];
  if (problems.length > 0) return { status: optionsNotValid(pod, problems) };
  const filter: FilterPlan = {
    grep: query.get('grep') ?? undefined,
    exclude: query.getAll('exclude'),
    ignoreCase: isSet(query, 'ignoreCase'),
    levels: levels as Level[],
    beforeContext: context,
    afterContext: context,
    wholeRecords: bucketMs !== undefined,
  };
  return { filter, maxScan, bucketMs };
}

const WIDTHS = BUCKET_WIDTHS_MS.map((ms) => `${ms}ms`);

function widthOf(text: string): number | undefined {
  const result = parseDuration(text);
  if (result.kind !== 'duration') return undefined;
  const { seconds, nanos } = result.duration;
  const ms = seconds * 1000 + nanos / 1e6;
  return BUCKET_WIDTHS_MS.find((width) => width === ms);
}
