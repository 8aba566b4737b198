import { isKubeError, KubeError } from '@logtool/kube/src/errors.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { type Attempt, retry } from '@logtool/kube/src/values/retry.ts';
import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerFolder } from './container-folder.ts';
import { firstStamp, firstStampOf } from './entry-lines.ts';
import { HEAD_BYTES, openRotated, PACKED_HEAD_BYTES } from './rotated-file.ts';
import { isSameRotation, newestName, type RotatedFile, type RunFiles } from './run-files.ts';

const NOTHING = Buffer.alloc(0);
/** Waits for a listing that shows no rotation while it was taken. A rotation takes about 2 ms. */
const ROTATION_POLICY = { waitsMs: [10, 50, 200, 1_000], maxTries: 6 } as const;

export interface SequenceOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Whether the newest file is part of it, or only those that were rotated away. */
  readonly hasNewest: boolean;
}

/**
 * The files of one run, oldest first, as they were at one moment. What the runtime writes later is in the newest one, or
 * in files that are not part of the sequence. Reads them although the kubelet renames and compresses them meanwhile.
 */
export class FileSequence {
  readonly #folder: ContainerFolder;
  readonly #files: RunFiles;
  /** The first bytes of the newest file; undefined if that is not part of the sequence. */
  readonly #head: Buffer | undefined;

  private constructor(folder: ContainerFolder, files: RunFiles, head: Buffer | undefined) {
    this.#folder = folder;
    this.#files = files;
    this.#head = head;
  }

  /**
   * Returns the files of a run. Lists them before and after it looks at the newest one, and again if a rotation came
   * between, so that no file is left out. Throws what the client throws.
   */
  static async take(
    folder: ContainerFolder,
    known: RunFiles,
    options: SequenceOptions,
  ): Promise<FileSequence> {
    if (!options.hasNewest) return new FileSequence(folder, known, undefined);
    let before = known;
    const attempt = async (): Promise<Attempt<FileSequence>> => {
      const head = await headOf(folder, newestName(known.run));
      const after = (await folder.filesOf(known.run)) ?? { ...known, rotated: [], hasNewest: false };
      const sequence = new FileSequence(folder, after, head ?? NOTHING);
      if (head !== undefined && isSameRotation(before, after)) return { state: 'done', value: sequence };
      before = after;
      return { state: 'pending', value: sequence };
    };
    return retry(ROTATION_POLICY, attempt, options);
  }

  /** Index of the last file; -1 without any. */
  get last(): number {
    return this.#files.rotated.length - (this.#head === undefined ? 1 : 0);
  }

  /** Whether a file is the newest one of the run, which may still be written to. */
  isNewest(index: number): boolean {
    return index === this.#files.rotated.length;
  }

  /** Yields the bytes of a file, uncompressed. Throws `not-found` if the kubelet removed it meanwhile. */
  async *bytes(index: number): AsyncGenerator<Uint8Array, void, undefined> {
    const rotated = this.#files.rotated[index];
    yield* rotated === undefined ? this.#newest() : this.#rotated(rotated);
  }

  /** Returns the time of a file's first entry; undefined if it has none. */
  async firstTime(index: number): Promise<Timestamp | undefined> {
    const rotated = this.#files.rotated[index];
    if (rotated === undefined) return firstStamp(this.#head ?? NOTHING);
    return firstStampOf(await openRotated(this.#folder, this.#files.run, rotated, PACKED_HEAD_BYTES));
  }

  async *#rotated(file: RotatedFile): AsyncGenerator<Uint8Array, void, undefined> {
    yield* await openRotated(this.#folder, this.#files.run, file);
  }

  /** Reads the newest file; if the kubelet rotated it meanwhile, under its new name. */
  async *#newest(): AsyncGenerator<Uint8Array, void, undefined> {
    const body = await this.#openNewest();
    if (body === undefined) {
      yield* this.#rotated(await this.#renamedNewest());
      return;
    }
    yield* body;
  }

  /** Returns the bytes under the name of the newest file; undefined if another file has that name now. */
  async #openNewest(): Promise<AsyncIterable<Uint8Array> | undefined> {
    let body: AsyncIterable<Uint8Array>;
    try {
      ({ body } = await this.#folder.open(newestName(this.#files.run)));
    } catch (error) {
      if (isKubeError(error, 'not-found')) return undefined;
      throw error;
    }
    const head = this.#head ?? NOTHING;
    const chunks = body[Symbol.asyncIterator]();
    const begin: Uint8Array[] = [];
    let length = 0;
    let isOver = false;
    while (length < head.length && !isOver) {
      const { done, value } = await chunks.next();
      isOver = done === true;
      if (value === undefined) continue;
      begin.push(value);
      length += value.length;
    }
    const first = Buffer.concat(begin);
    // A file that was empty has nothing to be recognized by.
    const isSame = head.length > 0 ? first.subarray(0, head.length).equals(head) : !(await this.#isRotated());
    if (isSame) return joined(first, chunks);
    await chunks.return?.();
    return undefined;
  }

  /** Whether the newest file of the listing was rotated meanwhile. Files are removed at rotations only. */
  async #isRotated(): Promise<boolean> {
    const { rotated, keepsLast } = await this.#listAgain();
    return !keepsLast || this.#laterIn(rotated) !== undefined;
  }

  /** Returns what the newest file of the listing is now. Throws `not-found` if that is gone, or not certain. */
  async #renamedNewest(): Promise<RotatedFile> {
    const { rotated, keepsLast } = await this.#listAgain();
    const renamed = this.#laterIn(rotated);
    // The oldest are removed first: with the file before it, it may be gone too, and the next one be another.
    if (renamed !== undefined && keepsLast) return renamed;
    throw new KubeError({ kind: 'not-found', problem: { code: 'file-missing', data: {} } });
  }

  async #listAgain(): Promise<{ readonly rotated: readonly RotatedFile[]; readonly keepsLast: boolean }> {
    const { rotated = [] } = (await this.#folder.filesOf(this.#files.run)) ?? {};
    const last = this.#files.rotated.at(-1)?.stamp;
    return { rotated, keepsLast: last === undefined || rotated.some(({ stamp }) => stamp === last) };
  }

  /** Returns the first file that was rotated after the listing. */
  #laterIn(rotated: readonly RotatedFile[]): RotatedFile | undefined {
    const last = this.#files.rotated.at(-1)?.stamp ?? '';
    return rotated.find(({ stamp }) => stamp > last);
  }
}

/** Returns the first bytes of a file; undefined if it does not exist. */
async function headOf(folder: ContainerFolder, name: string): Promise<Buffer | undefined> {
  try {
    const { body } = await folder.open(name, { from: 0, to: HEAD_BYTES - 1 });
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of body) {
      chunks.push(chunk);
      length += chunk.length;
      // An empty file comes whole, with what was written to it meanwhile (test/recorded/nodes/empty-file-range-0.json).
      if (length >= HEAD_BYTES) break;
    }
    return Buffer.concat(chunks).subarray(0, HEAD_BYTES);
  } catch (error) {
    if (isKubeError(error, 'not-found')) return undefined;
    throw error;
  }
}

async function* joined(
  first: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    if (first.length > 0) yield first;
    for (let step = await rest.next(); step.done !== true; step = await rest.next()) yield step.value;
  } finally {
    await rest.return?.();
  }
}
