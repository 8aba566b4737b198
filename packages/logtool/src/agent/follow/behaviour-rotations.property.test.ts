import { existsSync } from 'node:fs';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ContainerOnDisk } from '../../../../../test/support/agent/container-on-disk.ts';
import { Following } from '../../../../../test/support/agent/following.ts';
import { HANG_MS, SEED } from '../../../../../test/support/fuzz/seed.ts';

const CASES = 1_000;
const LARGE = 'x'.repeat(15_000);

/** What the runtime and the kubelet do. */
const nodeAction = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      count: fc.integer({ min: 1, max: 4 }),
      /** Some files are longer than what is read at once. */
      isLarge: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.boolean()),
      isPartial: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.boolean()),
      /** Of the last entry: the bytes that the runtime writes first. */
      cutAt: fc.option(fc.integer({ min: 1, max: 60 }), { nil: undefined, freq: 3 }),
    }),
  },
  { weight: 4, arbitrary: fc.constant({ kind: 'rotate' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'rename' as const }) },
  { weight: 3, arbitrary: fc.constant({ kind: 'compress' as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: 'remove' as const }) },
);
type NodeAction = typeof nodeAction extends fc.Arbitrary<infer T> ? T : never;

/** What the reader does. */
const readerAction = fc.oneof(
  fc.record({ kind: fc.constant('take' as const), count: fc.integer({ min: 1, max: 6 }) }),
  fc.constant({ kind: 'inspect' as const }),
);

const scene = fc.record({
  before: fc.array(nodeAction, { maxLength: 8 }),
  tail: fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined, freq: 2 }),
  steps: fc.array(fc.oneof(nodeAction, nodeAction, readerAction), { maxLength: 24 }),
  /** Before which of the follow's requests to the folder something happens. */
  meanwhile: fc.dictionary(fc.integer({ min: 0, max: 60 }).map(String), nodeAction, { maxKeys: 6 }),
  /** Whether it has read all before the end. */
  isReadBefore: fc.oneof({ weight: 6, arbitrary: fc.constant(true) }, fc.constant(false)),
  end: fc.constantFrom('restart' as const, 'remove' as const, 'remove with folders' as const),
});

type Scene = typeof scene extends fc.Arbitrary<infer T> ? T : never;

/** The runtime and the kubelet of a container. */
class Node {
  readonly container: ContainerOnDisk;
  mayRemove = false;
  /** Nothing happens while the follow asks. */
  isQuiet = false;
  removed = 0;
  readonly #actions = {
    rotate: () => this.#rotate(),
    rename: () => this.#rename(),
    compress: () => this.#compress(),
    remove: () => this.#remove(),
  };
  #line = 0;
  #isRenamed = false;
  #isEmpty = true;
  #writeRest: () => void = () => {};

  constructor(container: ContainerOnDisk) {
    this.container = container;
  }

  act(action: NodeAction): void {
    if (action.kind === 'write') this.#write(action);
    else this.#actions[action.kind]();
  }

  /** Writes the end of what it has begun to write. */
  settle(): void {
    this.#writeRest();
    this.#writeRest = () => {};
  }

  end(how: 'restart' | 'remove' | 'remove with folders'): void {
    this.settle();
    if (how === 'restart') this.#restart();
    else this.container.removePod({ folder: how === 'remove with folders' });
  }

  #restart(): void {
    const { written } = this.container;
    this.container.restart();
    this.container.write('of the next run');
    this.container.written = written;
  }

  #write({ count, isLarge, isPartial, cutAt }: Extract<NodeAction, { readonly kind: 'write' }>): void {
    this.settle();
    this.#isEmpty = false;
    for (let left = count; left > 0; left--) {
      const options = { isPartial, ...(left === 1 ? { cutAt } : {}) };
      const message = `line ${this.#line++} ${isLarge ? LARGE : ''}`;
      this.#writeRest = this.container.write(message, options);
      if (left > 1) this.settle();
    }
  }

  #rename(): void {
    if (this.#isEmpty || this.#isRenamed) return;
    this.container.rename();
    this.#isRenamed = true;
  }

  /** As the kubelet does: a file of a certain size, so no empty one. */
  #rotate(): void {
    this.#rename();
    if (!this.#isRenamed) return;
    this.settle();
    this.container.reopen();
    this.#isRenamed = false;
    this.#isEmpty = true;
  }

  /** As the kubelet does: the last rotated file stays plain. */
  #compress(): void {
    const plain = this.container.rotated.filter((name) => !name.endsWith('.gz'));
    for (const name of plain.slice(0, -1)) this.container.compress(name);
  }

  /** As the kubelet does: the oldest first, and never the last. */
  #remove(): void {
    const [oldest, another] = this.container.rotated;
    if (!this.mayRemove || oldest === undefined || another === undefined) return;
    this.container.remove(oldest);
    this.removed++;
  }
}

/** Returns where the last lines of a text begin; one that is not ended counts too. */
function startOfLast(text: string, count: number | undefined): number {
  if (count === undefined) return 0;
  const lines = text.split(/(?<=\n)/).filter(Boolean);
  return lines.slice(0, Math.max(lines.length - count, 0)).join('').length;
}

async function play(
  following: Following,
  node: Node,
  { steps, isReadBefore, end }: Scene,
  isAll: () => boolean,
): Promise<void> {
  for (const step of steps) {
    if (step.kind === 'take') await following.readFor(step.count * 200);
    else if (step.kind === 'inspect') await following.pass(1000);
    else node.act(step);
  }
  node.isQuiet = true;
  // The first may end a line that is left out. With the second, who has read all is in the last file.
  node.act({ kind: 'write', count: 2, isLarge: false, isPartial: false, cutAt: undefined });
  // What is rotated and removed within one moment leaves no trace.
  await following.untilInspected();
  while (isReadBefore && following.end === 'open' && !isAll()) await following.readFor(200);
  node.end(end);
  await following.readToEnd();
}

/** Returns the lines from there on; not the rest of one that was begun, and counted as left out. */
function linesFrom(written: string, start: number): string {
  const isLineStart = start === 0 || written[start - 1] === '\n';
  if (isLineStart) return written.slice(start);
  const newline = written.indexOf('\n', start);
  return newline === -1 ? '' : written.slice(newline + 1);
}

/** Whether a text is what was written from a line on, which lies between those; `isWhole`: to the end. */
function isFrom(text: string, first: string, last: string, isWhole: boolean): boolean {
  const lines = first.split(/(?<=\n)/).filter(Boolean);
  for (let rest = first; rest.length >= last.length; rest = rest.slice(lines.shift()!.length)) {
    if (isWhole ? rest === text : rest.startsWith(text)) return true;
    if (rest === '') break;
  }
  return false;
}

test.runIf(existsSync('/proc/self/fd'))(
  `a follow has each line once and in order, whatever is rotated, compressed and removed (LOGTOOL_SEED=${SEED})`,
  { timeout: HANG_MS },
  async () => {
    let failed = 0;
    await fc.assert(
      fc.asyncProperty(scene, async (one) => {
        const node = new Node(new ContainerOnDisk());
        const { container } = node;
        try {
          for (const action of one.before) node.act(action);
          node.settle();
          const before = startOfLast(container.written, one.tail);
          let requests = 0;
          const following = new Following(container, {
            clock: new FakeClock(),
            query: { tailLines: one.tail },
            onRequest: () => {
              const action = one.meanwhile[requests++];
              if (action !== undefined && !node.isQuiet) node.act(action);
            },
          });
          await following.open();
          const opened = startOfLast(container.written, one.tail);
          node.mayRemove = true;
          const isOfAll = (isWhole: boolean) => {
            const first = linesFrom(container.written, before);
            return isFrom(following.text, first, linesFrom(container.written, opened), isWhole);
          };
          await play(following, node, one, () => isOfAll(true));
          const isCut = following.end !== 'ended';
          if (isCut) {
            expect(following.end).toMatchObject({ error: { name: 'RemovedUnread' } });
            const isRemoved = node.removed > 0 || (one.end !== 'restart' && !one.isReadBefore);
            expect(isRemoved, 'it fails only for what is gone').toBe(true);
            failed++;
          }
          expect(isOfAll(!isCut), `${following.text}\nof\n${container.written}`).toBe(true);
          expect(container.openFiles).toEqual([]);
        } finally {
          container.close();
        }
      }),
      { seed: SEED, numRuns: CASES },
    );
    expect(failed).toBeLessThan(CASES / 5);
  },
);
