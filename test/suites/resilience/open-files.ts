import { existsSync } from 'node:fs';
import { readdir, readlink } from 'node:fs/promises';

/** Only there can be seen what a process holds that has no name. */
export const seesOpenFiles = existsSync('/proc/self/fd');

/** The files below a folder that a process has open, including those without a name. Only on Linux. */
export async function openFilesBelow(folder: string, pid: number | undefined): Promise<readonly string[]> {
  const fds = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const paths = await Promise.all(fds.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
  return paths.filter((path) => path.startsWith(`${folder}/`));
}
