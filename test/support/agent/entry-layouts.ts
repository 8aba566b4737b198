import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { formatTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import { LogFiles } from '@logtool/logtool/src/agent/entries/log-files.ts';
import { LocalFolder } from '@logtool/logtool/src/agent/files/local-folder.ts';
import fc from 'fast-check';

const BASE = 1_800_000_000;
const PATH = ['shop_web_7f0ab3de', 'app'];
const { signal } = new AbortController();

const MESSAGES = [
  '',
  'naïve ✓',
  'an error',
  'an \x1b[31merror\x1b[0m',
  'ERROR the first',
  'level=warn msg="an error"',
  'a line of P parts',
  '2026-11-21T10:00:00Z stdout F none',
];

const entry = fc.record({
  /** How the clock moved since the entry before, in tenths of a second: mostly on, sometimes set back. */
  step: fc.oneof(
    { weight: 30, arbitrary: fc.integer({ min: -2, max: 30 }) },
    { weight: 1, arbitrary: fc.integer({ min: -400, max: 400 }) },
  ),
  stream: fc.constantFrom('stdout', 'stderr'),
  isPartial: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.boolean()),
  message: fc.oneof(
    { weight: 4, arbitrary: fc.string({ maxLength: 12 }).map((text) => text.replace(/\n/g, ' ')) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 40_000 }).map((length) => 'x'.repeat(length)) },
    {
      weight: 2,
      arbitrary: fc.constantFrom(...MESSAGES),
    },
  ),
  /** Text before it that is no entry. */
  foreign: fc.oneof({ weight: 20, arbitrary: fc.constant('') }, fc.constantFrom('\n', 'no entry\n')),
});

/** Files of a container of all kinds: rotated, compressed, of several runs, with lines over their ends. */
export const entryLayout = fc.record({
  runs: fc.array(
    fc.record({
      /** Runs before it of which there is no file. */
      missing: fc.oneof({ weight: 5, arbitrary: fc.constant(0) }, fc.constant(1)),
      files: fc.array(fc.array(entry, { maxLength: 10 }), { minLength: 1, maxLength: 4 }),
      packed: fc.nat({ max: 3 }),
      isCutAtEnd: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  noise: fc.boolean(),
});
export type EntryLayout = typeof entryLayout extends fc.Arbitrary<infer T> ? T : never;

/** An entry as it was written. */
export interface WrittenEntry {
  readonly run: number;
  /** Its place among the files of its run that have entries, and that file's first time. */
  readonly file: number;
  readonly first: Timestamp;
  readonly offset: number;
  readonly at: Timestamp;
  readonly stream: string;
  readonly isPartial: boolean;
  readonly message: string;
  /** As it is in the file. */
  readonly text: string;
}

/** The files of a layout on the disk, and what is in them. */
export class EntriesOnDisk {
  readonly root = mkdtempSync(join(tmpdir(), 'logtool-entries-'));
  readonly written: WrittenEntry[] = [];
  readonly folderPath = join(this.root, ...PATH);
  #tenths = 0;
  #nanos = 0;

  constructor(layout: EntryLayout) {
    mkdirSync(this.folderPath, { recursive: true });
    let number = -1;
    for (const run of layout.runs) {
      number += 1 + run.missing;
      this.#writeRun(number, run);
    }
    if (!layout.noise) return;
    writeFileSync(join(this.folderPath, '0.log.20200101-000000.tmp'), 'half');
    writeFileSync(join(this.folderPath, 'notes.txt'), 'no log');
  }

  get folder(): LocalFolder {
    return new LocalFolder(this.root, PATH, signal);
  }

  list(run?: number): Promise<LogFiles> {
    return LogFiles.list(this.folder, run, signal);
  }

  /** A clock was set back, where no beginning of a file of the run, or of all runs, shows it. */
  hasHiddenStep(run: number | undefined): boolean {
    const entries = this.written.filter((entry) => run === undefined || entry.run === run);
    return isDisordered(entries) && !isDisordered(entries.filter(({ first, at }) => first === at));
  }

  close(): void {
    rmSync(this.root, { recursive: true });
  }

  #writeRun(run: number, { files, packed, isCutAtEnd }: EntryLayout['runs'][number]): void {
    let file = -1;
    for (const [index, entries] of files.entries()) {
      const isNewest = index === files.length - 1;
      if (entries.length > 0) file++;
      let bytes = this.#bytesOf(entries, { run, file });
      if (isNewest && isCutAtEnd) bytes = bytes.subarray(0, -1);
      const name = isNewest ? `${run}.log` : `${run}.log.20270115-08000${index}`;
      const isPacked = !isNewest && index < packed;
      writeFileSync(
        join(this.folderPath, isPacked ? `${name}.gz` : name),
        isPacked ? gzipSync(bytes) : bytes,
      );
    }
  }

  #bytesOf(
    entries: EntryLayout['runs'][number]['files'][number],
    within: { run: number; file: number },
  ): Buffer {
    let bytes = '';
    let first: Timestamp | undefined;
    for (const { step, stream, message, isPartial: mayBePartial, foreign } of entries) {
      this.#tenths += step;
      const seconds = BASE + Math.floor(this.#tenths / 10);
      const at = {
        seconds,
        nanos: (this.#tenths - Math.floor(this.#tenths / 10) * 10) * 1e8 + this.#nanos++,
      };
      first ??= at;
      // A runtime writes a fragment only for bytes without a newline: none is empty.
      const isPartial = mayBePartial && message !== '';
      const text = `${formatTimestamp(at)} ${stream} ${isPartial ? 'P' : 'F'} ${message}`;
      bytes += foreign;
      const offset = Buffer.byteLength(bytes);
      this.written.push({ ...within, first, offset, at, stream, isPartial, message, text });
      bytes += `${text}\n`;
    }
    return Buffer.from(bytes);
  }
}

function isDisordered(entries: readonly WrittenEntry[]): boolean {
  let latest = Number.NEGATIVE_INFINITY;
  return entries.some(({ at }) => {
    const isEarlier = at.seconds < latest - 1;
    latest = Math.max(latest, at.seconds);
    return isEarlier;
  });
}

/** Returns the entries of each line, as the kubelet joins them. */
export function linesOf(entries: readonly WrittenEntry[]): readonly (readonly WrittenEntry[])[] {
  const lines: WrittenEntry[][] = [];
  let last: WrittenEntry | undefined;
  for (const each of entries) {
    if (last?.isPartial === true && last.run === each.run) lines.at(-1)!.push(each);
    else lines.push([each]);
    last = each;
  }
  return lines;
}

/** Compares the places of two entries. */
export function compareOrder(a: WrittenEntry, b: WrittenEntry): number {
  return a.run - b.run || a.file - b.file || a.offset - b.offset;
}

/** Returns an entry as a line of `format=entries`, without its newline. */
export function withPosition({ run, first, offset, text }: WrittenEntry): string {
  return `${run}:${formatTimestamp(first)}:${offset} ${text}`;
}
