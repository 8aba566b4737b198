import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Interval } from '../../domain/coverage/interval.ts';
import type { Lost } from '../../domain/coverage/lost.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { KeptBlock, KeptFile } from './kept-file.ts';
import { type LineFacts, RowPacker, UNKNOWN_LEVEL, UNKNOWN_SHAPE } from './kept-rows.ts';

/** Blocks of one container to compress simultaneously; others wait. */
const WRITING_BLOCKS = 4;

/** Receives the interval that was read, its records, and what the node no longer had of it. */
type OnKept = (interval: Interval, blocks: readonly KeptBlock[], lost: readonly Lost[]) => void;

/**
 * Stores a range of a container while it is read. After any failure (a full disk, no room, lines out of order), nothing
 * is kept of the range, and the scan continues.
 */
export class RunKeeper {
  readonly #file: KeptFile;
  readonly #onKept: OnKept;
  readonly #packer: RowPacker;
  readonly #writing = new Set<Promise<void>>();
  readonly #blocks: (KeptBlock | undefined)[] = [];
  #runId = '';
  #last: Timestamp | undefined;
  #isBroken = false;

  /** `lanes`: how many containers are read simultaneously. */
  constructor(file: KeptFile, lanes: number, onKept: OnKept) {
    this.#file = file;
    this.#packer = new RowPacker(lanes);
    this.#onKept = onKept;
  }

  /** Takes records in order, with their known facts. Resolves once there is room for more. */
  async take(records: readonly LogRecord[], facts: LineFacts | undefined): Promise<void> {
    for (let index = 0; index < records.length && !this.#isBroken; index++) {
      const record = records[index]!;
      const { at, run } = record;
      if (this.#last !== undefined && compareTimestamps(at, this.#last) < 0) return this.abandon();
      this.#last = at;
      if (run.key.containerId !== this.#runId || !this.#packer.hasRoomFor(record)) this.#write();
      this.#runId = run.key.containerId;
      this.#packer.add(record, facts?.levels[index] ?? UNKNOWN_LEVEL, facts?.shapes[index] ?? UNKNOWN_SHAPE);
    }
    while (this.#writing.size >= WRITING_BLOCKS) await Promise.race(this.#writing);
  }

  /** Keeps nothing of the range. */
  abandon(): void {
    this.#isBroken = true;
  }

  /** Ends the range: all records of the interval, and perhaps later ones, were taken. */
  async finish(interval: Interval, lost: readonly Lost[]): Promise<void> {
    if (!this.#isBroken) this.#write();
    await Promise.all(this.#writing);
    const blocks = this.#blocks.filter((block) => block !== undefined);
    if (!this.#isBroken && blocks.length === this.#blocks.length) this.#onKept(interval, blocks, lost);
  }

  #write(): void {
    if (this.#packer.isEmpty) return;
    const index = this.#blocks.push(undefined) - 1;
    const writing = this.#file.write(this.#runId, this.#packer.take()).then(
      (block) => {
        this.#blocks[index] = block;
        this.#isBroken ||= block === undefined;
      },
      () => this.abandon(),
    );
    this.#writing.add(writing);
    void writing.then(() => this.#writing.delete(writing));
  }
}
