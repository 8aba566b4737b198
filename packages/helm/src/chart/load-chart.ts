import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { Chart } from './chart.ts';
import { chartError } from './chart-error.ts';
import { loadChartDirectory } from './load-directory.ts';
import { readChartArchive } from './read-archive.ts';

/**
 * Reads a chart from a path: a directory, or an archive.
 * @throws CodedError `invalid-chart`; errors of the file system unchanged
 */
export async function loadChart(path: string): Promise<Chart> {
  const info = await stat(path);
  if (info.isDirectory()) return loadChartDirectory(path);
  // A pipe or a device may never send a byte, nor end.
  if (!info.isFile()) throw chartError(`'${path}' is neither a directory nor a file`);
  if (!(await isGzip(path))) {
    const isYaml = /\.ya?ml$/.test(path);
    throw chartError(
      isYaml
        ? `file '${path}' seems to be a YAML file, but expected a gzipped archive`
        : `file '${path}' does not appear to be a gzipped archive`,
    );
  }
  return readChartArchive(createReadStream(path));
}

async function isGzip(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer } = await file.read({ buffer: new Uint8Array(3), length: 3 });
    return buffer[0] === 0x1f && buffer[1] === 0x8b && buffer[2] === 0x08;
  } finally {
    await file.close();
  }
}
