import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { constants, deflateRaw, inflateRaw } from 'node:zlib';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Run } from '../../domain/record.ts';
import { openUnnamed, writeAll } from '../spill/unnamed-file.ts';
import { type KeptRows, type PackedRows, unpackRows } from './kept-rows.ts';

const deflate = promisify<Uint8Array, object, Buffer>(deflateRaw);
const inflate = promisify<Uint8Array, object, Buffer>(inflateRaw);
const OPTIONS = { level: constants.Z_BEST_SPEED, memLevel: 9 };

/** Position and size of compressed bytes in the file, and their uncompressed size. */
interface Span {
  readonly at: number;
  readonly bytes: number;
  readonly wholeBytes: number;
}

/** Records of one run stored together in the file, in the order of their times. */
export interface KeptBlock {
  readonly runId: string;
  readonly count: number;
  readonly first: Timestamp;
  readonly last: Timestamp;
  readonly hasLevels: boolean;
  readonly hasShapes: boolean;
  readonly facts: Span;
  readonly text: Span;
}

/** What a scan has read, compressed, in a file without a name. Closing it leaves nothing behind. */
export class KeptFile {
  readonly #isRoomFor: (bytes: number) => boolean;
  #opening: Promise<FileHandle> | undefined;
  #end = 0;
  #users = 0;
  #isClosing = false;
  readonly #onClosed: () => void;

  /** `isRoomFor` is called before each write. */
  constructor(isRoomFor: (bytes: number) => boolean, onClosed: () => void) {
    this.#isRoomFor = isRoomFor;
    this.#onClosed = onClosed;
  }

  /** Size of the file. */
  get bytes(): number {
    return this.#end;
  }

  /** Compresses and writes a block; undefined if there is no room. Throws system errors. */
  async write(runId: string, rows: PackedRows): Promise<KeptBlock | undefined> {
    const { count, first, last, hasLevels, hasShapes } = rows;
    const [facts, text] = await Promise.all([deflate(rows.facts, OPTIONS), deflate(rows.text, OPTIONS)]);
    if (this.#isClosing || !this.#isRoomFor(facts.length + text.length)) return undefined;
    const at = this.#end;
    this.#end += facts.length + text.length;
    await this.use(async () => {
      this.#opening ??= openUnnamed();
      await writeAll(await this.#opening, Buffer.concat([facts, text]), at);
    });
    return {
      runId,
      count,
      first,
      last,
      hasLevels,
      hasShapes,
      facts: { at, bytes: facts.length, wholeBytes: rows.facts.length },
      text: { at: at + facts.length, bytes: text.length, wholeBytes: rows.text.length },
    };
  }

  /**
   * Reads a block back, without its messages if they are not needed. Throws system errors, and if the block is
   * truncated.
   */
  async read(block: KeptBlock, source: Run, needsText: boolean): Promise<KeptRows> {
    const [facts, text] = await Promise.all([
      this.#inflated(block.facts),
      needsText ? this.#inflated(block.text) : undefined,
    ]);
    return unpackRows({ count: block.count, source }, facts, text);
  }

  /** Keeps the file open during the work. Throws if it is closed. */
  async use<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosing) throw new Error('the kept file is closed');
    this.#users++;
    try {
      return await work();
    } finally {
      this.#users--;
      if (this.#isClosing) this.close();
    }
  }

  /** Frees the file as soon as nobody uses it; a second call has no effect. */
  close(): void {
    this.#isClosing = true;
    if (this.#users > 0) return;
    const opening = this.#opening;
    this.#opening = undefined;
    void opening?.then((file) => file.close()).catch(() => undefined);
    if (this.#end > 0) this.#onClosed();
    this.#end = 0;
  }

  async #inflated({ at, bytes, wholeBytes }: Span): Promise<Buffer> {
    const file = await this.#opening;
    const packed = Buffer.allocUnsafeSlow(bytes);
    for (let done = 0; done < bytes; ) {
      const { bytesRead } = (await file?.read(packed, done, bytes - done, at + done)) ?? { bytesRead: 0 };
      if (bytesRead === 0) throw new Error('the kept file is cut');
      done += bytesRead;
    }
    const whole = await inflate(packed, { chunkSize: wholeBytes + 64 });
    if (whole.length !== wholeBytes) throw new Error('the kept file is cut');
    return whole;
  }
}
