import { stat } from 'node:fs/promises';
import type { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { expect } from 'vitest';
import { LocalFolder } from '../../../packages/logtool/src/agent/files/local-folder.ts';
import { followRun } from '../../../packages/logtool/src/agent/follow/follow-run.ts';
import type { RunQuery } from '../../../packages/logtool/src/backend/run-lines.ts';
import type { ContainerOnDisk } from './container-on-disk.ts';

/** Far more than a follow has to ask the disk for in any test. */
const MAX_PASSES = 5_000;
const STEP_MS = 200;
/** Far more than a follow takes to begin an inspection. */
const MAX_IDLE_PASSES = 200;

/** A folder whose changes the system does not report: only inspections find them, and a test decides when. */
class UnreportedFolder extends LocalFolder {
  onRequest: () => void = () => {};
  listings = 0;

  override async watch(): Promise<undefined> {
    return undefined;
  }

  override names(kind?: 'any' | 'folders'): ReturnType<LocalFolder['names']> {
    this.listings++;
    this.onRequest();
    return super.names(kind);
  }

  override openFile(name: string): ReturnType<LocalFolder['openFile']> {
    this.onRequest();
    return super.openFile(name);
  }
}

export interface FollowingOptions {
  readonly clock: FakeClock;
  readonly query?: Omit<RunQuery, 'limitBytes'>;
  readonly run?: number;
  /** Whether the system reports changes. */
  readonly isReported?: boolean;
  /** Called before the follow lists the folder or opens a file: what happens on the node meanwhile. */
  readonly onRequest?: () => void;
}

/** A reader of a follow, which reads when the test says so. */
export class Following {
  /** What it has read. */
  text = '';
  /** How it ended. */
  end: 'open' | 'ended' | { readonly error: unknown } = 'open';
  readonly unwatched: unknown[] = [];
  readonly #clock: FakeClock;
  readonly #folder: LocalFolder;
  readonly #stop = new AbortController();
  #passes = 0;
  #isAsking = false;
  #asked: Promise<void> | undefined;
  readonly #chunks: AsyncGenerator<Uint8Array, void, undefined>;

  constructor(container: ContainerOnDisk, options: FollowingOptions) {
    const { clock, query = {}, run = container.run, isReported = false, onRequest } = options;
    const { signal } = this.#stop;
    const Folder = isReported ? LocalFolder : UnreportedFolder;
    const folder = new Folder(container.root, container.path, signal);
    if (folder instanceof UnreportedFolder && onRequest !== undefined) folder.onRequest = onRequest;
    this.#folder = folder;
    this.#clock = clock;
    this.#chunks = followRun(folder, run, query, {
      clock,
      signal,
      onUnwatched: (error) => this.unwatched.push(error),
    });
  }

  /** Begins; the reader has the first chunk, which is empty. */
  async open(): Promise<void> {
    expect(await this.#chunks.next()).toEqual({ done: false, value: Buffer.alloc(0) });
  }

  /** Asks for a chunk, or the end; it may come when time passes. */
  async ask(): Promise<void> {
    this.#isAsking = true;
    try {
      const { done, value } = await this.#chunks.next();
      if (done === true) this.end = 'ended';
      else this.text += Buffer.from(value).toString();
    } catch (error) {
      this.end = { error };
    }
    this.#isAsking = false;
  }

  /** Takes one chunk, or the end, however long that takes on the follow's clock. */
  async take(asked = this.ask()): Promise<void> {
    let isTaken = false;
    const taken = asked.then(() => {
      isTaken = true;
    });
    while (!isTaken) await this.pass(1000);
    await taken;
  }

  /** Reads until it has that much. Fails if the follow ends before, or returns something else. */
  async readTo(wanted: string): Promise<void> {
    while (this.text !== wanted) {
      expect(wanted.startsWith(this.text), `${this.text.slice(-200)} is part of what was written`).toBe(true);
      expect(this.end).toBe('open');
      await this.take();
    }
  }

  /** Reads what comes within that time. */
  async readFor(ms: number): Promise<void> {
    for (let leftMs = ms; leftMs > 0 && this.end === 'open'; leftMs -= STEP_MS) {
      this.#asked ??= this.ask().then(() => {
        this.#asked = undefined;
      });
      await this.pass(STEP_MS);
    }
  }

  async readToEnd(): Promise<void> {
    while (this.end === 'open') await this.readFor(1000);
  }

  /** Lets time pass, and what the follow does meanwhile on the disk happen. */
  async pass(ms: number): Promise<void> {
    expect(this.#passes++, 'what the test waits for comes').toBeLessThan(MAX_PASSES);
    await this.#clock.advance(ms);
    // Behind what the follow has asked the disk for.
    await stat('/');
  }

  /** Lets it find out what has become of the files, and waits until it has. */
  async inspect(): Promise<void> {
    const isWaiting = () => this.#clock.pending > 0;
    while (!isWaiting()) await this.pass(0);
    await this.#clock.advance(1000);
    while (!isWaiting()) await this.pass(0);
  }

  /** Waits until it knows what the files are now, unless it has given up; for a follow of which changes are not reported. */
  async untilInspected(): Promise<void> {
    const folder = this.#folder;
    if (!(folder instanceof UnreportedFolder)) throw new Error('the system reports changes');
    const { listings } = folder;
    // The first may be of an inspection that began before, and the second repeat it.
    for (let passes = 0; folder.listings < listings + 3 && passes < MAX_IDLE_PASSES; passes++)
      await this.pass(1000);
  }

  abort(): void {
    this.#stop.abort();
  }

  /** The reader leaves between two chunks; or also while it waits, when a test has failed. */
  async leave(): Promise<void> {
    if (this.#isAsking) this.abort();
    await this.#chunks.return();
  }
}
