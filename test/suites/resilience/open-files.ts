import { existsSync } from 'node:fs';
import { readdir, readlink } from 'node:fs/promises';

/** Only Linux shows a process's open files that have no name. */
export const seesOpenFiles = existsSync('/proc/self/fd');

/** Returns the open files of a process below a folder, including those without a name. Only on Linux. */
export async function openFilesBelow(folder: string, pid: number | undefined): Promise<readonly string[]> {
  const fds = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const paths = await Promise.all(fds.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
  return paths.filter((path) => path.startsWith(`${folder}/`));
}
