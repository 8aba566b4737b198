import { existsSync } from 'node:fs';
import { compareTimestamps, formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  compareOrder,
  EntriesOnDisk,
  entryLayout,
  linesOf,
  type WrittenEntry,
  withPosition,
} from '../../../../../test/support/agent/entry-layouts.ts';
import { SEED } from '../../../../../test/support/fuzz/seed.ts';
import { StampIndex } from '../index/stamp-index.ts';
import { readEntryOptions } from '../serve/entry-options.ts';
import { entryText } from '../serve/entry-text.ts';
import { walkEntries } from './walk-entries.ts';

const LAYOUTS = 2_000;
const TIMEOUT = { timeout: 900_000 };

/** An end of what is asked for: an entry by its number, its time or its position, and how far beside it. */
const bound = fc.record({
  number: fc.nat({ max: 119 }),
  by: fc.constantFrom('time' as const, 'position' as const),
  isInclusive: fc.boolean(),
  /** Bytes after the beginning of the entry, or seconds. */
  beside: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: -3, max: 3 })),
});
const query = fc.record({
  lower: fc.option(bound, { nil: undefined }),
  upper: fc.option(bound, { nil: undefined }),
  direction: fc.constantFrom('forward' as const, 'backward' as const),
  limit: fc.option(fc.integer({ min: 1, max: 12 }), { nil: undefined }),
  stream: fc.constantFrom('All', 'All', 'Stdout', 'Stderr'),
  run: fc.option(fc.nat({ max: 2 }), { nil: undefined, freq: 4 }),
  blockBytes: fc.constantFrom(16, 100, 3000, 256 * 1024),
});
type Query = typeof query extends fc.Arbitrary<infer T> ? T : never;
type Bound = typeof bound extends fc.Arbitrary<infer T> ? T : never;

interface Border {
  readonly name: string;
  readonly text: string;
  readonly isTime: boolean;
  /** Whether an entry, or its line by the time of its first entry, lies on the wanted side. */
  readonly admits: (one: { readonly entry: WrittenEntry; readonly line: WrittenEntry }) => boolean;
}

function borderOf(
  of: Bound | undefined,
  written: readonly WrittenEntry[],
  isLower: boolean,
): Border | undefined {
  const entry = of && written[of.number % Math.max(1, written.length)];
  if (of === undefined || entry === undefined) return undefined;
  const { isInclusive, beside, by } = of;
  const name = isLower ? (isInclusive ? 'from' : 'after') : isInclusive ? 'until' : 'before';
  const isOnSide = (order: number) => (order === 0 ? isInclusive : isLower ? order > 0 : order < 0);
  if (by === 'time') {
    const at = { ...entry.at, seconds: entry.at.seconds + beside };
    const admits: Border['admits'] = ({ line }) => isOnSide(compareTimestamps(line.at, at));
    return { name, text: formatTimestamp(at), isTime: true, admits };
  }
  const position = { ...entry, offset: Math.max(0, entry.offset + beside) };
  const text = withPosition({ ...position, text: '' }).trimEnd();
  return { name, text, isTime: false, admits: (one) => isOnSide(compareOrder(one.entry, position)) };
}

/** Returns what was written and is wanted, in the order that is wanted. */
function wantedOf(
  written: readonly WrittenEntry[],
  borders: readonly Border[],
  one: Query,
): readonly WrittenEntry[] {
  const { stream, direction, limit, run } = one;
  const inside = written.filter(
    (entry) =>
      (run === undefined || entry.run === run) &&
      (stream === 'All' || entry.stream === stream.toLowerCase()) &&
      borders.every(({ isTime, admits }) => isTime || admits({ entry, line: entry })),
  );
  const lines = linesOf(inside).filter((line) =>
    borders.every(({ isTime, admits }) => !isTime || admits({ entry: line[0]!, line: line[0]! })),
  );
  if (direction === 'forward') return lines.slice(0, limit).flat();
  return lines
    .slice(limit === undefined ? 0 : -limit)
    .flat()
    .reverse();
}

function parametersOf(borders: readonly Border[], { stream, direction, limit, run }: Query): URLSearchParams {
  const parameters = new URLSearchParams({ stream, direction });
  for (const { name, text } of borders) parameters.set(name, text);
  if (limit !== undefined) parameters.set('limit', String(limit));
  if (run !== undefined) parameters.set('run', String(run));
  return parameters;
}

/** Returns the lines of an answer, as the agent writes it. */
async function read(
  disk: EntriesOnDisk,
  parameters: URLSearchParams,
  stamps: StampIndex,
): Promise<readonly string[]> {
  const options = readEntryOptions(parameters, 'web');
  if ('status' in options) throw new Error(options.status.message);
  const chunks: Uint8Array[] = [];
  for await (const chunk of entryText(walkEntries(await disk.list(options.run), options, { stamps })))
    chunks.push(chunk);
  return Buffer.concat(chunks).toString().split('\n').slice(0, -1);
}

const entriesIn = (lines: readonly string[]) => lines.filter((line) => !line.startsWith('#'));
const endIn = (lines: readonly string[]) => /^#end (\S+)$/.exec(lines.at(-1) ?? '')?.[1];

test.runIf(existsSync('/proc/self/fd'))(
  `entries are those of all files one after the other: whole, between positions and times, in both directions, with a limit (LOGTOOL_SEED=${SEED})`,
  TIMEOUT,
  async () => {
    let hidden = 0;
    await fc.assert(
      fc.asyncProperty(entryLayout, query, async (layout, one) => {
        const disk = new EntriesOnDisk(layout);
        try {
          const { written } = disk;
          const ends = [borderOf(one.lower, written, true), borderOf(one.upper, written, false)];
          const borders = ends.filter((border) => border !== undefined);
          if (borders.some(({ isTime }) => isTime) && disk.hasHiddenStep(one.run)) {
            hidden++;
            return;
          }
          const lines = await read(disk, parametersOf(borders, one), new StampIndex(one.blockBytes));
          expect(entriesIn(lines)).toEqual(wantedOf(written, borders, one).map(withPosition));
          expect(lines.filter((line) => line.startsWith('#end'))).toHaveLength(1);
        } finally {
          disk.close();
        }
      }),
      { seed: SEED, numRuns: LAYOUTS },
    );
    expect(hidden).toBeLessThan(LAYOUTS / 3);
  },
);

/** Reads all in pages, each from where the one before ended. */
async function readPages(
  disk: EntriesOnDisk,
  { direction, limit, blockBytes }: Pick<Query, 'direction' | 'limit' | 'blockBytes'>,
): Promise<readonly string[]> {
  const isForward = direction === 'forward';
  const stamps = new StampIndex(blockBytes);
  const found: string[] = [];
  let end: string | undefined;
  for (;;) {
    const parameters = new URLSearchParams({ direction, limit: String(limit) });
    if (end !== undefined) parameters.set(isForward ? 'from' : 'before', end);
    const lines = await read(disk, parameters, stamps);
    const entries = entriesIn(lines);
    // The last entry is not ended, so that it comes again.
    const isAgain = isForward && entries[0] !== undefined && entries[0] === found.at(-1);
    const next = entries.slice(isAgain ? 1 : 0);
    if (next.length === 0) return found;
    found.push(...next);
    end = endIn(lines);
  }
}

test.runIf(existsSync('/proc/self/fd'))(
  `pages that begin where the one before ended have each entry once, in both directions (LOGTOOL_SEED=${SEED})`,
  TIMEOUT,
  async () => {
    await fc.assert(
      fc.asyncProperty(entryLayout, query, async (layout, { direction, limit = 1, blockBytes }) => {
        const disk = new EntriesOnDisk(layout);
        try {
          const isForward = direction === 'forward';
          const all = disk.written.map(withPosition);
          const found = await readPages(disk, { direction, limit, blockBytes });
          expect(found).toEqual(isForward ? all : all.reverse());
        } finally {
          disk.close();
        }
      }),
      { seed: SEED, numRuns: LAYOUTS / 4 },
    );
  },
);
