import { isKubeError } from '@logtool/kube/src/errors.ts';
import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { SEED } from '../../../../test/support/fuzz/seed.ts';
import { NodeDisk } from './testing/node-disk.ts';
import { FOLDER, readBackend } from './testing/read-backend.ts';

const BASE = 1_800_000_000;
const CASES = 1_500;

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

/** A node whose container writes numbered lines, one a second. */
class Writer {
  readonly disk = new NodeDisk(FOLDER);
  readonly #pad: string;
  written = 0;
  removedLines = 0;
  removedFiles = 0;
  readonly #counts: number[] = [0];
  #stamp = 0;

  constructor(wide: boolean) {
    this.#pad = wide ? 'x'.repeat(30_000) : '';
    this.disk.files.set('2.log', Buffer.alloc(0));
  }

  write(count: number): void {
    for (let left = count; left > 0; left--) {
      const stamp = formatTimestamp({ seconds: BASE + this.written, nanos: 5 });
      this.disk.append('2.log', Buffer.from(`${stamp} stdout F line ${this.written++} ${this.#pad}\n`));
      this.#counts[this.#counts.length - 1]!++;
    }
  }

  rotate(): void {
    this.disk.rotate(2, `20270115-08${String(this.#stamp++).padStart(4, '0')}`);
    this.#counts.push(0);
  }

  compress(): void {
    const plain = this.#rotated().find((name) => !name.endsWith('.gz'));
    if (plain !== undefined) this.disk.compress(plain);
  }

  remove(): void {
    const [oldest] = this.#rotated();
    if (oldest === undefined) return;
    this.disk.files.delete(oldest);
    this.removedFiles++;
    this.removedLines += this.#counts.shift()!;
  }

  #rotated(): string[] {
    return [...this.disk.files.keys()].filter((name) => name !== '2.log').toSorted();
  }
}

test(`a read begins and ends where it should, with nothing left out, although files are rotated meanwhile (LOGTOOL_SEED=${SEED})`, async () => {
  let failed = 0;
  await fc.assert(
    fc.asyncProperty(scene, async ({ files, wide, packed, meanwhile, tail, since }) => {
      const node = new Writer(wide);
      files.forEach((count, index) => {
        if (index > 0) node.rotate();
        if (packed) node.compress();
        node.write(count);
      });
      const before = node.written;
      const removedBefore = node.removedFiles;
      node.disk.onRequest = (number) => {
        const what = meanwhile[number];
        if (what === 'rotate') {
          node.write(1);
          node.rotate();
          node.write(1);
        } else if (what === 'write') node.write(2);
        else if (what !== undefined) node[what]();
      };
      const query = {
        tailLines: tail,
        sinceTime: since === undefined ? undefined : { seconds: BASE + since, nanos: 0 },
      };
      let text: string;
      try {
        text = await readBackend(node.disk, 'all', query, () => newest(node, query));
      } catch (error) {
        // The kubelet removed a file that the read was to read: the reader resumes, and finds what is missing.
        if (!isKubeError(error, 'not-found') || node.removedFiles === removedBefore) throw error;
        failed++;
        return;
      }
      const numbers = [...text.matchAll(/ line (\d+) x*\n/g)].map(([, number]) => Number(number));
      const from = numbers[0] ?? node.written;
      expect(numbers, 'nothing between is left out').toEqual(numbers.map((_, index) => from + index));
      const earliest = Math.max(since ?? 0, 0);
      if (tail === undefined && (before > earliest || numbers.length > 0))
        expect(from).toBeLessThanOrEqual(Math.max(earliest, node.removedLines));
      if (tail !== undefined && since === undefined)
        expect(numbers.length).toBeGreaterThanOrEqual(Math.min(tail, before - node.removedLines));
      expect(from).toBeGreaterThanOrEqual(Math.min(earliest, node.written));
      if (before > earliest) expect(from + numbers.length).toBeGreaterThanOrEqual(before);
    }),
    { seed: SEED, numRuns: CASES },
  );
  expect(failed).toBeLessThan(CASES / 5);
});

/** What the log API answers. */
function newest(
  node: Writer,
  { tailLines, sinceTime }: { tailLines?: number | undefined; sinceTime?: { seconds: number } | undefined },
): string {
  const lines = node.disk.files.get('2.log')!.toString().split('\n').slice(0, -1);
  const from = tailLines === undefined ? 0 : Math.max(0, lines.length - tailLines);
  return lines
    .slice(from)
    .filter(
      (line) => sinceTime === undefined || Date.parse(`${line.slice(0, 19)}Z`) / 1000 >= sinceTime.seconds,
    )
    .map((line) => `${line.replace(' stdout F', '')}\n`)
    .join('');
}
