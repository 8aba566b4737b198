import { isKubeError } from '@logtool/kube/src/errors.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { openRotated } from '../../backend/rotated-file.ts';
import { newestName, type RotatedFile, type RunFiles, rotatedName } from '../../backend/run-files.ts';
import type { LocalFolder } from '../files/local-folder.ts';
import { isRotatedTo } from './is-rotated-to.ts';
import { type HeldFile, isSameFile, openIfExists, type Survey, surveyRun } from './survey-run.ts';

/**
 * After a rotation, a runtime switches to the new file within milliseconds. This long after the first bytes in the new
 * file, none comes into the old one.
 */
const SETTLE_MS = 100;

/** One file in the order of the run. */
interface Link {
  /** When it was rotated; undefined for the newest, and before the first file. */
  stamp: string | undefined;
  held: HeldFile | undefined;
  next: Link | undefined;
  /** When it was first seen with content, on the clock's steady time. */
  begunAt: number | undefined;
}

/** A file that the kubelet removed before the reader came to it, or one whose place among the others is not known. */
export class RemovedUnread extends Error {
  /** Its lines are missing, or the lines after it. */
  readonly file: string;

  constructor(file: string) {
    super(`${file}: removed-unread`);
    this.name = 'RemovedUnread';
    this.file = file;
  }
}

/**
 * The files of one run in the order in which they were written, as a reader goes from one to the next while the kubelet
 * rotates, compresses and removes them. The order comes from watching what becomes of the newest file, since a node's clock
 * may be set back; from the stamps only where several rotations came between two inspections. Holds at most two files open, however far its reader is behind: the one being
 * read, which may have no name by now, and the newest.
 */
export class FileChain {
  /** The files at the beginning. */
  readonly files: RunFiles;
  readonly #folder: LocalFolder;
  readonly #clock: Clock;
  #current: Link = newLink();
  #last: Link = this.#current;
  #known: ReadonlySet<string>;
  #isOver: boolean;
  #isLost = false;

  private constructor(folder: LocalFolder, run: number, clock: Clock, survey: Survey) {
    const { newest, rotated } = survey;
    this.#folder = folder;
    this.#clock = clock;
    this.files = { run, rotated, hasNewest: newest !== undefined };
    for (const { stamp } of rotated) this.#append({ stamp });
    if (newest !== undefined) this.#append({ held: newest });
    this.#known = stampsOf(survey);
    this.#isOver = survey.hasLaterRun;
    this.#noteContent(newest);
  }

  /** The reader begins before the first file. Throws what the folder throws. */
  static async open(folder: LocalFolder, run: number, clock: Clock): Promise<FileChain> {
    return new FileChain(folder, run, clock, await surveyRun(folder, run));
  }

  /** The newest file at the beginning, until it is passed. */
  get newest(): HeldFile | undefined {
    return this.#last.held;
  }

  get hasNext(): boolean {
    return this.#current.next !== undefined;
  }

  /** Goes to the next file. */
  async advance(): Promise<void> {
    const { held, next } = this.#current;
    if (next === undefined) return;
    this.#current.held = undefined;
    this.#current = next;
    await held?.handle.close();
  }

  /**
   * Opens the file that the reader is at: an open file, which the chain closes, or the text of a compressed one. Undefined
   * before the first file. Throws RemovedUnread if it is gone.
   */
  async openCurrent(): Promise<HeldFile | AsyncIterable<Uint8Array> | undefined> {
    const { held, stamp } = this.#current;
    if (held !== undefined || stamp === undefined) return held;
    const plain = { stamp, isCompressed: false };
    this.#current.held = await openIfExists(this.#folder, rotatedName(this.files.run, plain));
    if (this.#current.held !== undefined) return this.#current.held;
    try {
      return await openRotated(this.#folder, this.files.run, { stamp, isCompressed: true });
    } catch (error) {
      if (isKubeError(error, 'not-found')) throw new RemovedUnread(this.currentName);
      throw error;
    }
  }

  get currentName(): string {
    const { stamp } = this.#current;
    const { run } = this.files;
    return stamp === undefined ? newestName(run) : rotatedName(run, { stamp, isCompressed: false });
  }

  /**
   * Whether nothing more comes into the file that the reader is at: what it holds after that is all. Else `inMs` tells
   * when to ask again, if that is not after a change.
   */
  async isComplete(): Promise<true | { readonly inMs: number | undefined }> {
    const { next, held, stamp } = this.#current;
    if (next === undefined) return this.#isLost || this.#isOver || { inMs: undefined };
    const isFile = held !== undefined || stamp !== undefined;
    if (!isFile || next.stamp !== undefined) return true;
    next.begunAt ??= await this.#firstSeen(next);
    if (next.begunAt === undefined) return this.#isOver || { inMs: undefined };
    const inMs = next.begunAt + SETTLE_MS - this.#clock.steady();
    return inMs <= 0 || { inMs };
  }

  /** Throws RemovedUnread if what comes after the file that the reader is at is gone. */
  checkNext(): void {
    if (this.#isLost && !this.hasNext) throw new RemovedUnread(this.currentName);
  }

  /** Finds out what has become of the files. Not twice at a time. Throws what the folder throws. */
  async inspect(): Promise<void> {
    if (this.#isLost) return;
    const survey = await surveyRun(this.#folder, this.files.run);
    try {
      await this.#update(survey);
    } finally {
      if (survey.newest !== this.#last.held) await survey.newest?.handle.close();
    }
  }

  /** Closes the files. No inspection may be under way. */
  async close(): Promise<void> {
    const held = new Set([this.#current.held, this.#last.held]);
    this.#current.held = undefined;
    this.#last.held = undefined;
    for (const file of held) await file?.handle.close();
  }

  async #update(survey: Survey): Promise<void> {
    const { held } = this.#last;
    const { newest } = survey;
    if (held === undefined || newest === undefined || !isSameFile(held, newest)) {
      const fresh = survey.rotated.filter(({ stamp }) => !this.#known.has(stamp));
      const later = await this.#laterThanLast(fresh);
      if (later === undefined) return await this.#lose(this.#last);
      const before = this.#last;
      for (const { stamp } of later) this.#append({ stamp });
      if (newest !== undefined) this.#append({ held: newest });
      await this.#leave(before);
    }
    this.#known = stampsOf(survey);
    this.#noteContent(newest);
    await this.#checkUnread();
    this.#isOver = survey.hasLaterRun || (await this.#isGone(survey));
  }

  /** Returns which new files came after the last one; undefined if that is not certain. */
  async #laterThanLast(fresh: readonly RotatedFile[]): Promise<readonly RotatedFile[] | undefined> {
    const last = this.#last;
    if (last.held === undefined || last.stamp !== undefined) return fresh;
    const [first, ...others] = fresh;
    // Without a rotation, somebody removed it, and the runtime began another.
    if (first === undefined) return fresh;
    // One before it would be of a clock that was set back between two rotations: then the order is not known.
    if (!(await isRotatedTo(this.#folder, this.files.run, last.held, first))) return undefined;
    last.stamp = first.stamp;
    return others;
  }

  #append(file: { readonly stamp: string } | { readonly held: HeldFile }): void {
    const link = Object.assign(newLink(), file);
    this.#last.next = link;
    this.#last = link;
  }

  /** Closes a file that is no longer the newest. It is opened again when its turn comes: a slow reader takes no space. */
  async #leave(link: Link): Promise<void> {
    const { held, stamp } = link;
    if (link === this.#last || link === this.#current || stamp === undefined) return;
    link.held = undefined;
    await held?.handle.close();
  }

  #noteContent(newest: HeldFile | undefined): void {
    if (newest !== undefined && newest.stats.size > 0) this.#last.begunAt ??= this.#clock.steady();
  }

  async #firstSeen({ held }: Link): Promise<number | undefined> {
    const isBegun = held !== undefined && (await held.handle.stat()).size > 0;
    return isBegun ? this.#clock.steady() : undefined;
  }

  /** Ends the chain where a file that is still to be read was removed. */
  async #checkUnread(): Promise<void> {
    for (let link = this.#current; link.next !== undefined; link = link.next) {
      const { held, stamp } = link.next;
      if (held === undefined && stamp !== undefined && !this.#known.has(stamp)) return this.#lose(link);
    }
  }

  async #lose(link: Link): Promise<void> {
    const { held } = this.#last;
    this.#isLost = true;
    if (link === this.#last) return;
    this.#last = link;
    link.next = undefined;
    await held?.handle.close();
  }

  /** Whether the files were removed, as with their pod. */
  async #isGone({ newest, hasFolder }: Survey): Promise<boolean> {
    if (newest !== undefined) return false;
    if (!hasFolder) return true;
    const { held, stamp } = this.#last;
    // Renamed by hand, it goes on until the kubelet has the runtime begin another.
    if (held !== undefined) return (await held.handle.stat()).nlink === 0;
    return stamp === undefined || !this.#known.has(stamp);
  }
}

function newLink(): Link {
  return { stamp: undefined, held: undefined, next: undefined, begunAt: undefined };
}

function stampsOf({ rotated }: Survey): ReadonlySet<string> {
  return new Set(rotated.map(({ stamp }) => stamp));
}
