import { existsSync } from 'node:fs';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { compareTimestamps, formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  EntriesOnDisk,
  entryLayout,
  linesOf,
  type WrittenEntry,
  withPosition,
} from '../../../../../test/support/agent/entry-layouts.ts';
import { SEED } from '../../../../../test/support/fuzz/seed.ts';
import { detectLevel } from '../../domain/level.ts';
import { compileFilter } from '../../stream/match/compile-filter.ts';
import { StampIndex } from '../index/stamp-index.ts';
import { readEntryOptions } from '../serve/entry-options.ts';
import { entryText } from '../serve/entry-text.ts';
import { readSearchOptions } from '../serve/search-options.ts';
import { searchEntries } from './search-entries.ts';

const CASES = 1_000;
const container = { namespace: 'shop', pod: 'web', podUid: 'uid', container: 'app' };

/** Patterns of RE2 that mean the same to JavaScript. */
const PATTERNS = [
  'an error',
  'error',
  'error$',
  '^an',
  'naïve',
  '✓(an|.x)',
  'naïve ✓an error',
  'x{30}',
  'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
  'P',
  'stdout F none',
  'no such text',
  'first|parts',
  '',
];
const search = fc.record({
  grep: fc.option(fc.constantFrom(...PATTERNS), { nil: undefined, freq: 6 }),
  exclude: fc.array(fc.constantFrom('naïve', 'level=warn', 'x$', 'e.r'), { maxLength: 2 }),
  ignoreCase: fc.boolean(),
  levels: fc.subarray(['error', 'warn'], { maxLength: 2 }),
  context: fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 4 })),
  limit: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
  direction: fc.constantFrom('forward' as const, 'backward' as const),
  stream: fc.constantFrom('All', 'All', 'Stdout', 'Stderr'),
  from: fc.option(fc.nat({ max: 119 }), { nil: undefined, freq: 1 }),
});
type Search = typeof search extends fc.Arbitrary<infer T> ? T : never;

function matchesIn(lines: readonly (readonly WrittenEntry[])[], one: Search): readonly number[] {
  const flags = one.ignoreCase ? 'iu' : 'u';
  const include = one.grep === undefined ? undefined : new RegExp(one.grep, flags);
  const excludes = one.exclude.map((text) => new RegExp(text, flags));
  return lines.flatMap((line, index) => {
    const message = line.map((piece) => piece.message).join('');
    const text = message.replace(/\x1b\[[\d;]*m/g, '');
    const level = detectLevel(Buffer.from(text));
    const isIncluded = include?.test(text) !== false && !excludes.some((pattern) => pattern.test(text));
    const isWanted = one.levels.length === 0 || (level !== undefined && one.levels.includes(level));
    return isIncluded && isWanted ? [index] : [];
  });
}

/** Returns the entries that a search shows, in its order. */
function wantedOf(
  written: readonly WrittenEntry[],
  from: WrittenEntry | undefined,
  one: Search,
): readonly string[] {
  const inOrder = linesOf(
    written.filter(({ stream }) => one.stream === 'All' || stream === one.stream.toLowerCase()),
  ).filter((line) => from === undefined || compareTimestamps(line[0]!.at, from.at) >= 0);
  const lines = one.direction === 'forward' ? inOrder : inOrder.map((line) => line.toReversed()).reverse();
  const asWritten = one.direction === 'forward' ? lines : lines.map((line) => line.toReversed());
  const matches = matchesIn(asWritten, one).slice(0, one.limit);
  const isShown = (index: number) => matches.some((match) => Math.abs(match - index) <= one.context);
  return lines
    .filter((_, index) => isShown(index))
    .flat()
    .map(withPosition);
}

function parametersOf(from: WrittenEntry | undefined, one: Search): URLSearchParams {
  const parameters = new URLSearchParams({
    context: String(one.context),
    direction: one.direction,
    stream: one.stream,
  });
  if (one.grep !== undefined) parameters.set('grep', one.grep);
  if (one.ignoreCase) parameters.set('ignoreCase', 'true');
  if (one.limit !== undefined) parameters.set('limit', String(one.limit));
  if (one.levels.length > 0) parameters.set('level', one.levels.join(','));
  for (const text of one.exclude) parameters.append('exclude', text);
  if (from !== undefined) parameters.set('from', formatTimestamp(from.at));
  return parameters;
}

async function read(disk: EntriesOnDisk, parameters: URLSearchParams): Promise<readonly string[]> {
  const query = readEntryOptions(parameters, 'web');
  const options = readSearchOptions(parameters, 'web');
  if (options === undefined || 'status' in query || 'status' in options) throw new Error('refused');
  const { filter, maxScan } = options;
  const compiled = await compileFilter(filter);
  const stamps = new StampIndex(100);
  const context = { container, compiled, stamps, clock: systemClock };
  const items = searchEntries(await disk.list(undefined), { query, filter, maxScan }, context);
  const chunks: Uint8Array[] = [];
  for await (const chunk of entryText(items)) chunks.push(chunk);
  return Buffer.concat(chunks).toString().split('\n').slice(0, -1);
}

const entriesIn = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('#'));

/** Leaves out the last line of all, which may not be complete, and comes again with all its entries. */
function withoutRepeat(found: readonly string[], next: readonly string[]): readonly string[] {
  const repeated = next.lastIndexOf(found.at(-1) ?? '') + 1;
  const isRepeat =
    repeated > 0 && next.slice(0, repeated).every((line) => found.slice(-repeated).includes(line));
  return isRepeat ? next.slice(repeated) : next;
}

test.runIf(existsSync('/proc/self/fd'))(
  `a search finds in files of any layout what is in the lines of all files one after the other (LOGTOOL_SEED=${SEED})`,
  { timeout: 900_000 },
  async () => {
    let found = 0;
    await fc.assert(
      fc.asyncProperty(entryLayout, search, async (layout, one) => {
        const disk = new EntriesOnDisk(layout);
        try {
          const { written } = disk;
          const from = one.from === undefined ? undefined : written[one.from % Math.max(1, written.length)];
          if (from !== undefined && disk.hasHiddenStep(undefined)) return;
          const lines = await read(disk, parametersOf(from, one));
          const wanted = wantedOf(written, from, one);
          if (wanted.length > 0) found++;
          expect(entriesIn(lines)).toEqual(wanted);
          expect(lines.at(-2)).toMatch(/^#coverage /);
          expect(lines.at(-1)).toMatch(/^#end /);
        } finally {
          disk.close();
        }
      }),
      { seed: SEED, numRuns: CASES },
    );
    expect(found).toBeGreaterThan(CASES / 5);
  },
);

test.runIf(existsSync('/proc/self/fd'))(
  `searches that end after a number of bytes, each where the one before ended, find all together once (LOGTOOL_SEED=${SEED})`,
  { timeout: 900_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(
        entryLayout,
        search,
        fc.integer({ min: 1, max: 100_000 }),
        async (layout, given, maxScan) => {
          const one = { ...given, context: 0, limit: undefined, from: undefined };
          const disk = new EntriesOnDisk(layout);
          try {
            const found: string[] = [];
            let end: string | undefined;
            for (let isOver = false; !isOver; ) {
              const parameters = parametersOf(undefined, one);
              parameters.set('maxScan', String(maxScan));
              if (end !== undefined) parameters.set(one.direction === 'forward' ? 'from' : 'before', end);
              const lines = await read(disk, parameters);
              found.push(...withoutRepeat(found, entriesIn(lines)));
              const next = lines.at(-1)!.slice('#end '.length);
              isOver = next === end || next === '-';
              end = next;
            }
            expect(found).toEqual(wantedOf(disk.written, undefined, one));
          } finally {
            disk.close();
          }
        },
      ),
      { seed: SEED, numRuns: CASES / 4 },
    );
  },
);
