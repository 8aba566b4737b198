import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import ignore from '@balena/dockerignore';

/**
 * Returns what `docker build` sends from a fresh clone: the files that git tracks, without those that
 * .dockerignore excludes.
 */
export async function buildContext(root: string): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z'], { cwd: root, maxBuffer: 2 ** 26 });
  const tracked = stdout.split('\0').filter((path) => path !== '');
  const rules = ignore().add(await readFile(join(root, '.dockerignore'), 'utf8'));
  return tracked.filter((path) => !rules.ignores(path));
}

/** Copies these files into another folder. */
export async function copyContext(root: string, paths: readonly string[], folder: string): Promise<void> {
  for (const path of paths) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await copyFile(join(root, path), join(folder, path));
  }
}
