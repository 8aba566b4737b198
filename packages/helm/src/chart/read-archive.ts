import { createGunzip } from 'node:zlib';
import { pathInChart } from './archive-path.ts';
import type { Chart, ChartFile } from './chart.ts';
import { chartError, chartFailure } from './chart-error.ts';
import { ARCHIVE_LIMIT_BYTES, ChartBudget } from './limits.ts';
import { loadFiles, withoutByteOrderMark } from './load-files.ts';
import { readTar } from './read-tar.ts';
import { formatInstantNs } from './rfc3339.ts';

/**
 * Reads a chart from its packed form (`.tgz`), and never unpacks more than the limits allow: it counts while reading,
 * including sub-charts and nested archives.
 * `budget`: that of the enclosing chart.
 * @throws CodedError `invalid-chart`, which names the limit, or the file, or what Chart.yaml lacks
 */
export async function readChartArchive(
  source: Uint8Array | AsyncIterable<Uint8Array>,
  budget: ChartBudget = new ChartBudget(),
): Promise<Chart> {
  const files: ChartFile[] = [];
  const unpacked = unpack(source instanceof Uint8Array ? [source] : source, budget);
  try {
    for await (const { name, data, modifiedAtNs } of readTar(unpacked, budget)) {
      const modTime = formatInstantNs(modifiedAtNs);
      files.push({ name: pathInChart(name), data: withoutByteOrderMark(data), modTime });
    }
  } finally {
    await unpacked.return();
  }
  if (files.length === 0) throw chartError('no files in chart archive');
  return loadFiles(files, budget, (data) => readChartArchive(data, budget));
}

/** Yields the unpacked bytes of a compressed stream; stops reading if the consumer ends early. */
async function* unpack(
  source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  budget: ChartBudget,
): AsyncGenerator<Uint8Array, void, undefined> {
  const gunzip = createGunzip();
  let failure: unknown;
  // Not awaited: it ends by itself after the stream is destroyed, but the source may stay silent for a long time.
  feed(source, gunzip).catch((error: unknown) => {
    failure = error;
    gunzip.destroy();
  });
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      budget.addUnpacked(chunk.length);
      yield chunk;
    }
  } catch (error) {
    throw failure ?? unpackError(error);
  } finally {
    gunzip.destroy();
  }
}

async function feed(
  source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  gunzip: ReturnType<typeof createGunzip>,
): Promise<void> {
  let packedBytes = 0;
  for await (const chunk of source) {
    packedBytes += chunk.length;
    if (packedBytes > ARCHIVE_LIMIT_BYTES) {
      throw chartFailure({ problem: 'archive-size', maxBytes: ARCHIVE_LIMIT_BYTES });
    }
    if (gunzip.destroyed) return;
    if (!gunzip.write(chunk)) await drained(gunzip);
  }
  if (!gunzip.destroyed) gunzip.end();
}

function drained(gunzip: ReturnType<typeof createGunzip>): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      gunzip.off('drain', done).off('close', done);
      resolve();
    };
    gunzip.on('drain', done).on('close', done);
    if (gunzip.destroyed) done();
  });
}

function unpackError(error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code === undefined || !code.startsWith('Z_')) return error;
  if (code === 'Z_BUF_ERROR') return chartFailure({ problem: 'archive-cut' }, error);
  return chartError('gzip: invalid header or data', error);
}
