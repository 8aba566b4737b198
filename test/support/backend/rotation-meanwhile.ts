import type { LogQuery } from '@logtool/kube/src/client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import fc from 'fast-check';
import { expect } from 'vitest';
import { SEED } from '../fuzz/seed.ts';
import type { NodeFolder } from './node-folder.ts';
import type { NodeUnderRead } from './node-under-read.ts';

const BASE = 1_800_000_000;
const CASES = 1_500;
const NEWEST = '0.log';

/** What the node does before a request; lines are written before and after a rotation. */
const happening = fc.constantFrom('write', 'write', 'rotate', 'rotate', 'compress', 'remove');
const scene = fc.record({
  /** Number of lines of the files at first, the oldest first. */
  files: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 4 }),
  wide: fc.boolean(),
  packed: fc.boolean(),
  meanwhile: fc.dictionary(fc.integer({ min: 0, max: 12 }).map(String), happening, { maxKeys: 6 }),
  tail: fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
  since: fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined }),
});

/** A container that writes numbered lines, one a second, and the kubelet that rotates their file. */
class Writer {
  readonly #folder: NodeFolder;
  readonly #pad: string;
  written = 0;
  removedLines = 0;
  removedFiles = 0;
  readonly #counts: number[] = [0];
  #stamp = 0;

  constructor(folder: NodeFolder, wide: boolean) {
    this.#folder = folder;
    this.#pad = wide ? 'x'.repeat(30_000) : '';
    folder.fill({ [NEWEST]: Buffer.alloc(0) });
  }

  write(count: number): void {
    for (let left = count; left > 0; left--) {
      const stamp = formatTimestamp({ seconds: BASE + this.written, nanos: 5 });
      this.#folder.append(NEWEST, Buffer.from(`${stamp} stdout F line ${this.written++} ${this.#pad}\n`));
      this.#counts[this.#counts.length - 1]!++;
    }
  }

  rotate(): void {
    this.#folder.rotate(NEWEST, `20270115-08${String(this.#stamp++).padStart(4, '0')}`);
    this.#counts.push(0);
  }

  compress(): void {
    const plain = this.#rotated().find((name) => !name.endsWith('.gz'));
    if (plain !== undefined) this.#folder.compress(plain);
  }

  remove(): void {
    const [oldest] = this.#rotated();
    if (oldest === undefined) return;
    this.#folder.remove(oldest);
    this.removedFiles++;
    this.removedLines += this.#counts.shift()!;
  }

  #rotated(): string[] {
    return this.#folder.names.filter((name) => name !== NEWEST);
  }
}

/** What the node does while a file is requested. */
function happen(writer: Writer, what: 'rotate' | 'write' | 'compress' | 'remove' | undefined): void {
  switch (what) {
    case 'rotate':
      writer.write(1);
      writer.rotate();
      writer.write(1);
      return;
    case 'write':
      writer.write(2);
      return;
    case 'compress':
      writer.compress();
      return;
    case 'remove':
      writer.remove();
      return;
    case undefined:
  }
}

/** Checks the first and the last line of a read. `before`: the lines that were written before it. */
function checkEnds(
  { from, count }: { readonly from: number; readonly count: number },
  writer: Writer,
  before: number,
  { tail, since }: { readonly tail: number | undefined; readonly since: number | undefined },
): void {
  const earliest = Math.max(since ?? 0, 0);
  // Of lines that were all removed meanwhile, none need be read: then those written later need not be, either.
  if (tail === undefined && (before > Math.max(earliest, writer.removedLines) || count > 0))
    expect(from).toBeLessThanOrEqual(Math.max(earliest, writer.removedLines));
  if (tail !== undefined && since === undefined)
    expect(count).toBeGreaterThanOrEqual(Math.min(tail, before - writer.removedLines));
  expect(from).toBeGreaterThanOrEqual(Math.min(earliest, writer.written));
  if (before > earliest) expect(from + count).toBeGreaterThanOrEqual(before);
}

/**
 * Checks that what `read` returns begins and ends where it should, with nothing left out, although files are rotated,
 * compressed and removed before each of its requests for them (`NodeUnderRead.onFileRequest`).
 */
export async function checkRotationMeanwhile(
  node: NodeUnderRead,
  read: (query: Partial<LogQuery>) => Promise<string>,
): Promise<void> {
  let failed = 0;
  await fc.assert(
    fc.asyncProperty(scene, async ({ files, wide, packed, meanwhile, tail, since }) => {
      const writer = new Writer(node.app, wide);
      files.forEach((count, index) => {
        if (index > 0) writer.rotate();
        if (packed) writer.compress();
        writer.write(count);
      });
      const before = writer.written;
      const removedBefore = writer.removedFiles;
      node.fileRequests = 0;
      node.onFileRequest = (number) => happen(writer, meanwhile[number]);
      const query = {
        tailLines: tail,
        sinceTime: since === undefined ? undefined : { seconds: BASE + since, nanos: 0 },
      };
      let text: string;
      try {
        text = await read(query);
      } catch (error) {
        // The kubelet removed a file that the read was to read: the reader resumes, and finds what is missing.
        if (!isKubeError(error, 'not-found') || writer.removedFiles === removedBefore) throw error;
        failed++;
        return;
      }
      const numbers = [...text.matchAll(/ line (\d+) x*\n/g)].map(([, number]) => Number(number));
      const from = numbers[0] ?? writer.written;
      expect(numbers, 'nothing between is left out').toEqual(numbers.map((_, index) => from + index));
      checkEnds({ from, count: numbers.length }, writer, before, { tail, since });
    }),
    { seed: SEED, numRuns: CASES },
  );
  expect(failed).toBeLessThan(CASES / 5);
}
