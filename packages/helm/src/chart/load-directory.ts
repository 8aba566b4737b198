import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readSmallFile } from '@logtool/kube/src/config/read-file.ts';
import { bytesToText } from '../value/bytes.ts';
import type { Chart, ChartFile } from './chart.ts';
import { chartError, chartFailure } from './chart-error.ts';
import { type Ignore, readHelmIgnore } from './helm-ignore.ts';
import { ChartBudget } from './limits.ts';
import { loadFiles, withoutByteOrderMark } from './load-files.ts';
import { readChartArchive } from './read-archive.ts';
import { formatInstantNs } from './rfc3339.ts';

/**
 * Reads a chart from a directory, except files that its `.helmignore` excludes. Follows links, and applies the same
 * limits as for archives.
 * @throws CodedError `invalid-chart`
 */
export async function loadChartDirectory(directory: string): Promise<Chart> {
  const budget = new ChartBudget();
  const files: ChartFile[] = [];
  const walk: Walk = { directory, ignore: await ignoreOf(directory), budget, files };
  await walkDirectory(walk, '', [await realpath(directory)]);
  return loadFiles(files, budget, (data) => readChartArchive(data, budget));
}

interface Walk {
  readonly directory: string;
  readonly ignore: Ignore;
  readonly budget: ChartBudget;
  readonly files: ChartFile[];
}

async function ignoreOf(directory: string): Promise<Ignore> {
  let text = '';
  try {
    text = bytesToText(await readSmallFile(join(directory, '.helmignore')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  try {
    return readHelmIgnore(text);
  } catch (error) {
    throw chartError(`.helmignore: ${(error as Error).message}`, error);
  }
}

/** `above`: the real paths of the parent directories; meeting one again means a loop of links. */
async function walkDirectory(walk: Walk, path: string, above: readonly string[]): Promise<void> {
  const names = await readdir(join(walk.directory, path));
  for (const name of names.sort()) {
    const child = path === '' ? name : `${path}/${name}`;
    const childPath = join(walk.directory, child);
    const info = await stat(childPath, { bigint: true });
    if (walk.ignore(child, info.isDirectory())) continue;
    if (info.isDirectory()) {
      const real = await realpath(childPath);
      if (above.includes(real)) throw chartFailure({ problem: 'link-loop', path: child });
      await walkDirectory(walk, child, [...above, real]);
    } else if (info.isFile()) {
      walk.budget.announceFile(child, Number(info.size));
      const data = withoutByteOrderMark(await readFile(childPath));
      walk.files.push({ name: child, data, modTime: formatInstantNs(info.mtimeNs) });
    } else {
      throw chartError(`cannot load irregular file ${child} as it has file mode type bits set`);
    }
  }
}
