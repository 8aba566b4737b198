import { isKubeError } from '@logtool/kube/src/errors.ts';
import { compareTimestamps, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogPosition } from '../../backend/log-position.ts';
import { filesOfRun, newestName, rotatedName, runsIn } from '../../backend/run-files.ts';
import type { LocalFolder } from '../files/local-folder.ts';
import { UnreadableFile } from '../files/unreadable-file.ts';
import type { FileEntry } from './file-entries.ts';
import { firstTimeOf, type LogFile, type OpenLogFile, openLogFile } from './log-file.ts';

/** The files of some runs of a container in their order, as they were at one moment. */
export class LogFiles {
  readonly files: readonly LogFile[];
  /** Whether no later run had begun, so that the last entry of the last file may not be complete. */
  readonly hasLastRun: boolean;
  /** Whether they are the files of all runs. */
  readonly isOfAllRuns: boolean;
  readonly #folder: LocalFolder;
  readonly #signal: AbortSignal;

  private constructor(
    folder: LocalFolder,
    signal: AbortSignal,
    listed: Pick<LogFiles, 'files' | 'hasLastRun' | 'isOfAllRuns'>,
  ) {
    this.isOfAllRuns = listed.isOfAllRuns;
    this.files = listed.files;
    this.hasLastRun = listed.hasLastRun;
    this.#folder = folder;
    this.#signal = signal;
  }

  /**
   * Lists the files of a run, or of all runs. Lists them again if a rotation came between, so that no file is left out.
   * Throws what the folder throws; UnreadableFile if none of several files can be read.
   */
  static async list(folder: LocalFolder, run: number | undefined, signal: AbortSignal): Promise<LogFiles> {
    let names = (await folder.names()) ?? [];
    for (;;) {
      const files = await filesIn(folder, names, run, signal);
      const after = (await folder.names()) ?? [];
      if (shapeOf(after) === shapeOf(names)) {
        const last = runsIn(after).at(-1);
        const isOfAllRuns = run === undefined;
        return new LogFiles(folder, signal, { files, hasLastRun: isOfAllRuns || run === last, isOfAllRuns });
      }
      names = after;
    }
  }

  /** Returns where a file begins; the end of the last one for the index after it. */
  beginOf(index: number): LogPosition | undefined {
    const file = this.files[index];
    return file === undefined ? undefined : { run: file.run, file: file.first, offset: 0 };
  }

  /** Returns the bytes of text in all files that can be read, as far as their ends tell. */
  async textBytes(): Promise<number> {
    let bytes = 0;
    for (const [index, { first }] of this.files.entries()) {
      const file = first === undefined ? undefined : await this.open(index);
      if (file === undefined) continue;
      try {
        bytes += await file.textBytes();
      } finally {
        await file.close();
      }
    }
    return bytes;
  }

  /** Returns where reading goes on after an entry: at its beginning, if its runtime may still be writing it. */
  positionAfter({ file, offset, next, isEnded }: FileEntry): LogPosition {
    const mayGrow = !isEnded && this.hasLastRun && file === this.files.at(-1);
    return { run: file.run, file: file.first, offset: mayGrow ? offset : next };
  }

  /** Opens a file, whatever it is called now; undefined if it is gone. Throws UnreadableFile. */
  async open(index: number): Promise<OpenLogFile | undefined> {
    const { name, run, first, problem } = this.files[index]!;
    if (first === undefined) throw new UnreadableFile(name, problem ?? 'damaged');
    const known = await this.#openIfFirst(name, first);
    if (known !== undefined) return known;
    const names = (await this.#folder.names()) ?? [];
    for (const other of namesOf(names, run)) {
      const file = other === name ? undefined : await this.#openIfFirst(other, first);
      if (file !== undefined) return file;
    }
    return undefined;
  }

  async #openIfFirst(name: string, first: Timestamp): Promise<OpenLogFile | undefined> {
    const file = await openIfExists(this.#folder, name, this.#signal);
    if (file === undefined) return undefined;
    let isSame = false;
    try {
      const found = await firstTimeOf(file);
      isSame = found !== undefined && compareTimestamps(found, first) === 0;
      return isSame ? file : undefined;
    } finally {
      if (!isSame) await file.close();
    }
  }
}

async function filesIn(
  folder: LocalFolder,
  names: readonly string[],
  wanted: number | undefined,
  signal: AbortSignal,
): Promise<readonly LogFile[]> {
  const files: LogFile[] = [];
  for (const run of runsIn(names)) {
    if (wanted !== undefined && run !== wanted) continue;
    for (const name of namesOf(names, run)) {
      const file = await inspect(folder, run, name, signal);
      if (file !== undefined) files.push(file);
    }
  }
  const [failed] = files;
  if (failed?.problem !== undefined && files.every(({ problem }) => problem !== undefined))
    throw new UnreadableFile(failed.name, failed.problem);
  return files;
}

/** Returns what is known of a file; undefined if it has no entry, or was renamed meanwhile. */
async function inspect(
  folder: LocalFolder,
  run: number,
  name: string,
  signal: AbortSignal,
): Promise<LogFile | undefined> {
  try {
    const file = await openIfExists(folder, name, signal);
    if (file === undefined) return undefined;
    try {
      const first = await firstTimeOf(file);
      return first && { run, name, first, problem: undefined };
    } finally {
      await file.close();
    }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    return { run, name, first: undefined, problem: error.because };
  }
}

async function openIfExists(
  folder: LocalFolder,
  name: string,
  signal: AbortSignal,
): Promise<OpenLogFile | undefined> {
  try {
    return openLogFile(await folder.openFile(name), name, signal);
  } catch (error) {
    if (isKubeError(error, 'not-found')) return undefined;
    throw error;
  }
}

function namesOf(names: readonly string[], run: number): readonly string[] {
  const { rotated, hasNewest } = filesOfRun(names, run);
  const newest = hasNewest ? [newestName(run)] : [];
  return [...rotated.map((file) => rotatedName(run, file)), ...newest];
}

/** Returns which files there are: a rotation, and a compression, change it. */
function shapeOf(names: readonly string[]): string {
  return runsIn(names)
    .flatMap((run) => namesOf(names, run))
    .join(' ');
}
