import type { LogQuery } from '@logtool/kube/src/client.ts';
import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import fc from 'fast-check';
import { expect } from 'vitest';
import { SEED } from '../fuzz/seed.ts';
import type { NodeFolder } from './node-folder.ts';
import type { NodeUnderRead } from './node-under-read.ts';

const BASE = 1_800_000_000;
const LAYOUTS = 2_000;

interface Entry {
  readonly atSeconds: number;
  readonly nanos: number;
  readonly stream: string;
  readonly isPartial: boolean;
  readonly message: string;
}

const entry = fc.record({
  /** How the clock moved since the entry before: mostly on, sometimes set back. */
  step: fc.oneof(
    { weight: 12, arbitrary: fc.integer({ min: 0, max: 3 }) },
    { weight: 1, arbitrary: fc.integer({ min: -40, max: 40 }) },
  ),
  nanos: fc.nat({ max: 999_999_999 }),
  stream: fc.constantFrom('stdout', 'stderr'),
  isPartial: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.boolean()),
  message: fc.oneof(
    fc.string({ maxLength: 12 }).map((text) => text.replace(/\n/g, ' ')),
    fc.integer({ min: 1, max: 40_000 }).map((length) => 'x'.repeat(length)),
    fc.constantFrom(
      '',
      'naïve ✓',
      '<a href="0.log.20270101-000000">',
      '2026-11-21T10:00:00Z stdout F no entry',
    ),
  ),
});
const layout = fc.record({
  /** Of the files of the run, the oldest first. */
  files: fc.array(fc.array(entry, { maxLength: 12 }), { minLength: 2, maxLength: 5 }),
  /** How many of the oldest are compressed. */
  packed: fc.nat({ max: 4 }),
  isCutAtEnd: fc.boolean(),
  noise: fc.boolean(),
  tail: fc.option(fc.integer({ min: 0, max: 40 }), { nil: undefined }),
  sinceStep: fc.option(fc.integer({ min: -5, max: 60 }), { nil: undefined }),
  limitBytes: fc.option(fc.integer({ min: 1, max: 300 }), { nil: undefined, freq: 6 }),
  choice: fc.constantFrom('all' as const, 'all' as const, 'rotated' as const),
});
type Layout = typeof layout extends fc.Arbitrary<infer T> ? T : never;

function entriesOf({ files }: Layout): Entry[][] {
  let atSeconds = BASE;
  return files.map((file) =>
    file.map(({ step, isPartial, message, ...rest }) => {
      atSeconds += step;
      // A runtime writes a fragment only for bytes without a newline: none is empty.
      return { atSeconds, isPartial: isPartial && message !== '', message, ...rest };
    }),
  );
}

function bytesOf(entries: readonly Entry[]): Buffer {
  return Buffer.from(
    entries
      .map(({ atSeconds, nanos, stream, isPartial, message }) => {
        const stamp = formatTimestamp({ seconds: atSeconds, nanos });
        return `${stamp} ${stream} ${isPartial ? 'P' : 'F'} ${message}\n`;
      })
      .join(''),
  );
}

const STAMPS = ['20270115-080000', '20270115-080100', '20270115-080200', '20270115-080300'];

/** Writes the files of a layout; the last one is the newest of the run. */
function fill(folder: NodeFolder, one: Layout, files: readonly Buffer[]): void {
  const nameOf = (index: number) => (index === files.length - 1 ? '0.log' : `0.log.${STAMPS[index]}`);
  folder.fill(Object.fromEntries(files.map((bytes, index) => [nameOf(index), bytes])));
  files.slice(0, -1).forEach((_, index) => {
    if (index < one.packed) folder.compress(nameOf(index));
  });
  if (!one.noise) return;
  folder.write('1.log', Buffer.from('2026-01-01T00:00:00.5Z stdout F another run\n'));
  folder.write('10.log.20270115-080000', Buffer.from('2026-01-01T00:00:00.5Z stdout F another run\n'));
  folder.write('0.log.20270115-080000.tmp', Buffer.from('half'));
}

/**
 * Returns what the log API answers to a query if all lines are in one file that was never rotated, one entry each: it
 * counts entries, and the backend lines.
 */
async function answerOfOneFile(
  node: NodeUnderRead,
  files: readonly Buffer[],
  query: Partial<LogQuery>,
): Promise<string> {
  node.whole.fill({ '0.log': Buffer.concat(files) });
  const lines = (await node.ask('whole')).split(/(?<=\n)/);
  // Without its newline, a line is one that its runtime has not ended.
  const entries = lines.filter(Boolean).map((line) => {
    const [stamp = '', ...message] = line.split(' ');
    return `${stamp} stdout ${line.endsWith('\n') ? 'F' : 'P'} ${message.join(' ').replace(/\n$/, '')}\n`;
  });
  node.whole.fill({ '0.log': Buffer.from(entries.join('')) });
  return node.ask('whole', query);
}

/** Whether a clock was set back inside a file, so that the file has lines later than the first of the next. */
function hasHiddenStep(files: readonly (readonly Entry[])[]): boolean {
  const times = files.map((file) => file.map(({ atSeconds }) => atSeconds));
  const later = times.map((_, index) => times.slice(index + 1).flatMap((file) => file.slice(0, 1)));
  return times.some((file, index) => later[index]!.some((first) => Math.max(...file) > first));
}

/**
 * Checks that files of any layout, read by `read`, are as the log API returns them from one file that was never rotated:
 * whole, from their end, by time.
 */
export async function checkLayouts(
  node: NodeUnderRead,
  read: (query: Partial<LogQuery>, choice: 'all' | 'rotated') => Promise<string>,
): Promise<void> {
  let hidden = 0;
  await fc.assert(
    fc.asyncProperty(layout, async (one) => {
      const entries = entriesOf(one);
      const query = {
        tailLines: one.tail,
        sinceTime: one.sinceStep === undefined ? undefined : { seconds: BASE + one.sinceStep, nanos: 0 },
        limitBytes: one.limitBytes,
      };
      const wanted = one.choice === 'rotated' ? entries.slice(0, -1) : entries;
      if (query.tailLines === undefined && query.sinceTime !== undefined && hasHiddenStep(wanted)) {
        hidden++;
        return;
      }
      const files = entries.map(bytesOf);
      // The runtime has not written the last byte yet.
      if (one.isCutAtEnd) files.push(files.pop()!.subarray(0, -1));
      fill(node.app, one, files);
      const text = await read(query, one.choice);
      expect(text).toBe(await answerOfOneFile(node, files.slice(0, wanted.length), query));
    }),
    { seed: SEED, numRuns: LAYOUTS },
  );
  expect(hidden).toBeLessThan(LAYOUTS / 3);
}
