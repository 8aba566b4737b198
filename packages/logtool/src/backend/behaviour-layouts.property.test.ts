import type { LogQuery } from '@logtool/kube/src/client.ts';
import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SEED } from '../../../../test/support/fuzz/seed.ts';
import { NodeDisk } from './testing/node-disk.ts';
import { FOLDER, readBackend } from './testing/read-backend.ts';

const BASE = 1_800_000_000;
const LAYOUTS = 2_000;

interface Entry {
  readonly atSeconds: number;
  readonly nanos: number;
  readonly stream: string;
  readonly isPartial: boolean;
  readonly message: string;
}

/** A line as the log API returns it, and the file (index) in which it began. */
interface Line {
  readonly text: string;
  readonly atSeconds: number;
  readonly file: number;
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
      '<a href="2.log.20270101-000000">',
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
    file.map(({ step, ...rest }) => {
      atSeconds += step;
      return { atSeconds, ...rest };
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

/** Returns the lines of files read one after the other; the last one without its newline if it is not complete. */
function linesOf(files: readonly (readonly Entry[])[]): Line[] {
  const lines: Line[] = [];
  let open: Line | undefined;
  files.forEach((file, index) => {
    for (const { atSeconds, nanos, isPartial, message } of file) {
      open ??= { text: `${formatTimestamp({ seconds: atSeconds, nanos })} `, atSeconds, file: index };
      open = { ...open, text: open.text + message };
      if (isPartial) continue;
      lines.push({ ...open, text: `${open.text}\n` });
      open = undefined;
    }
  });
  return open === undefined ? lines : [...lines, open];
}

const STAMPS = ['20270115-080000', '20270115-080100', '20270115-080200', '20270115-080300'];

function diskOf(one: Layout, entries: readonly (readonly Entry[])[]): NodeDisk {
  const disk = new NodeDisk(FOLDER);
  entries.forEach((file, index) => {
    const isNewest = index === entries.length - 1;
    const name = isNewest ? '2.log' : `2.log.${STAMPS[index]}`;
    const bytes = bytesOf(file);
    disk.files.set(name, isNewest && one.isCutAtEnd ? bytes.subarray(0, -1) : bytes);
    if (!isNewest && index < one.packed) disk.compress(name);
  });
  if (one.noise) {
    disk.files.set('1.log', Buffer.from('2026-01-01T00:00:00.5Z stdout F another run\n'));
    disk.files.set('12.log.20270115-080000', Buffer.from('2026-01-01T00:00:00.5Z stdout F another run\n'));
    disk.files.set('2.log.20270115-080000.tmp', Buffer.from('half'));
  }
  return disk;
}

/** What the log API answers: it has the newest file. */
const newestOf = (disk: NodeDisk) => (query: LogQuery) => {
  const file = disk.files.get('2.log')!;
  return expected(cutAtEnd(linesOf([parsed(file)]), !file.toString().endsWith('\n')), query);
};

function parsed(file: Buffer): Entry[] {
  return file
    .toString()
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => {
      const [stamp = '', stream = '', tag, ...message] = text.split(' ');
      const atSeconds = Math.floor(Date.parse(stamp) / 1000);
      const nanos = Number(stamp.slice(20, 29));
      return { atSeconds, nanos, stream, isPartial: tag === 'P', message: message.join(' ') };
    });
}

/** What a query returns of lines, by the rules of the log API. */
function expected(lines: readonly Line[], { tailLines, sinceTime, limitBytes }: Partial<LogQuery>): string {
  const terminated = lines.filter(({ text }) => text.endsWith('\n')).length;
  const from = tailLines === undefined ? 0 : Math.max(0, terminated - tailLines);
  const text = lines
    .slice(from)
    .filter(({ atSeconds }) => sinceTime === undefined || atSeconds >= sinceTime.seconds)
    .map(({ text }) => text)
    .join('');
  return limitBytes === undefined ? text : Buffer.from(text).subarray(0, limitBytes).toString();
}

/** Leaves out the newline of the last line: its last entry is not written completely. */
function cutAtEnd(lines: readonly Line[], isCut: boolean): readonly Line[] {
  const last = lines.at(-1);
  if (!isCut || last === undefined) return lines;
  return [...lines.slice(0, -1), { ...last, text: last.text.replace(/\n$/, '') }];
}

/** Whether a clock was set back inside a file, so that the file has lines later than the first of the next. */
function hasHiddenStep(files: readonly (readonly Entry[])[]): boolean {
  const times = files.map((file) => file.map(({ atSeconds }) => atSeconds));
  const later = times.map((_, index) => times.slice(index + 1).flatMap((file) => file.slice(0, 1)));
  return times.some((file, index) => later[index]!.some((first) => Math.max(...file) > first));
}

test(`a run read through its files is their concatenation: whole, from its end, by time (LOGTOOL_SEED=${SEED})`, async () => {
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
      const isCut = one.isCutAtEnd && one.choice === 'all' && entries.at(-1)!.length > 0;
      const lines = cutAtEnd(linesOf(wanted), isCut);
      if (query.tailLines === undefined && query.sinceTime !== undefined && hasHiddenStep(wanted)) {
        hidden++;
        return;
      }
      const disk = diskOf(one, entries);
      expect(await readBackend(disk, one.choice, query, newestOf(disk))).toBe(expected(lines, query));
    }),
    { seed: SEED, numRuns: LAYOUTS },
  );
  expect(hidden).toBeLessThan(LAYOUTS / 3);
});
