import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import { filesOfRun, newestName, type RotatedFile, runsIn } from '../../backend/run-files.ts';
import type { LocalFolder } from '../files/local-folder.ts';

/** An open file. While it is open, no other file has its number. */
export interface HeldFile {
  readonly handle: FileHandle;
  readonly stats: Stats;
}

/** The files of a run at one moment. */
export interface Survey {
  /** The newest file, open, which the caller closes; undefined while there is none, as within a rotation. */
  readonly newest: HeldFile | undefined;
  /** Those that were rotated away before it became the newest; the oldest first. */
  readonly rotated: readonly RotatedFile[];
  /** Whether the container was started again. */
  readonly hasLaterRun: boolean;
  readonly hasFolder: boolean;
}

/** Lists the files of a run, and again if a rotation came between. Throws what the folder throws. */
export async function surveyRun(folder: LocalFolder, run: number): Promise<Survey> {
  for (;;) {
    const newest = await openNewest(folder, run);
    let isKept = false;
    try {
      const names = await folder.names();
      isKept = await isStillNewest(folder, run, newest);
      if (!isKept) continue;
      const { rotated } = filesOfRun(names ?? [], run);
      const hasLaterRun = runsIn(names ?? []).some((number) => number > run);
      return { newest, rotated, hasLaterRun, hasFolder: names !== undefined };
    } finally {
      if (!isKept) await newest?.handle.close();
    }
  }
}

/** Whether two open files are one. */
export function isSameFile(a: HeldFile, b: HeldFile): boolean {
  return a.stats.ino === b.stats.ino && a.stats.dev === b.stats.dev;
}

/** Opens a file; undefined if it does not exist. */
export async function openIfExists(folder: LocalFolder, name: string): Promise<HeldFile | undefined> {
  try {
    return await folder.openFile(name);
  } catch (error) {
    if (isKubeError(error, 'not-found')) return undefined;
    throw error;
  }
}

function openNewest(folder: LocalFolder, run: number): Promise<HeldFile | undefined> {
  return openIfExists(folder, newestName(run));
}

async function isStillNewest(
  folder: LocalFolder,
  run: number,
  newest: HeldFile | undefined,
): Promise<boolean> {
  const now = await openNewest(folder, run);
  await now?.handle.close();
  return newest === undefined || now === undefined ? newest === now : isSameFile(newest, now);
}
