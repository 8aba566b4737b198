import { ByteQueue } from './byte-queue.ts';
import { chartError, chartFailure } from './chart-error.ts';
import type { ChartBudget } from './limits.ts';
import {
  BLOCK_BYTES,
  invalidHeader,
  isDirectory,
  readPaxRecords,
  readTarHeader,
  type TarHeader,
} from './tar-header.ts';

export interface TarFile {
  readonly name: string;
  readonly data: Uint8Array;
  readonly modifiedAtNs: bigint;
}

/** Maximum size of a long name or of the records before a header: Go's own limit. */
const SPECIAL_LIMIT_BYTES = 1024 * 1024;

/** What records before a header override for the file. */
interface Override {
  readonly name?: string;
  readonly sizeBytes?: number;
  readonly modifiedAtNs?: bigint;
}

/**
 * Yields the files of a tar archive, and unpacks no more than the budget allows. Skips directories and global records;
 * refuses links, devices and sparse files.
 * @throws CodedError
 */
export async function* readTar(
  source: AsyncIterator<Uint8Array>,
  budget: ChartBudget,
): AsyncGenerator<TarFile> {
  const queue = new ByteQueue(source);
  let override: Override = {};
  for (;;) {
    const found = await nextHeader(queue);
    if (found === undefined) return;
    if (found.type === 'x' || found.type === 'L') {
      override = { ...override, ...(await readOverride(queue, found)) };
      continue;
    }
    const header: TarHeader = { ...found, ...override };
    const isGlobal = header.type === 'g' || header.type === 'K';
    if (isGlobal || isDirectory(header)) {
      await skipContent(queue, header.sizeBytes);
    } else {
      const data = await readContent(queue, header, budget);
      const modifiedAtNs = override.modifiedAtNs ?? BigInt(header.modifiedAtSeconds) * 1_000_000_000n;
      yield { name: header.name, data, modifiedAtNs };
    }
    if (!isGlobal) override = {};
  }
}

/** Resolves to undefined at the end of the archive. */
async function nextHeader(queue: ByteQueue): Promise<TarHeader | undefined> {
  const block = await queue.take(BLOCK_BYTES);
  if (block.length === 0) return undefined;
  if (block.length < BLOCK_BYTES) throw truncated();
  return readTarHeader(block);
}

async function readContent(
  queue: ByteQueue,
  { name, type, sizeBytes }: TarHeader,
  budget: ChartBudget,
): Promise<Uint8Array> {
  if (type !== '0' && type !== '7') {
    const problem = type === '1' || type === '2' ? 'link' : 'no-file';
    throw chartFailure({ problem, path: name });
  }
  budget.announceFile(name, sizeBytes);
  const data = await queue.take(sizeBytes);
  if (data.length < sizeBytes || !(await queue.skip(padding(sizeBytes)))) throw truncated();
  return data;
}

async function skipContent(queue: ByteQueue, sizeBytes: number): Promise<void> {
  if (!(await queue.skip(sizeBytes + padding(sizeBytes)))) throw truncated();
}

async function readOverride(queue: ByteQueue, { type, sizeBytes }: TarHeader): Promise<Override> {
  if (sizeBytes > SPECIAL_LIMIT_BYTES) throw chartError('archive/tar: header field too long');
  const bytes = await queue.take(sizeBytes);
  if (bytes.length < sizeBytes || !(await queue.skip(padding(sizeBytes)))) throw truncated();
  if (type === 'L') return { name: new TextDecoder().decode(bytes).replace(/\0.*$/s, '') };
  return readPaxOverride(readPaxRecords(bytes));
}

function readPaxOverride(records: ReadonlyMap<string, string>): Override {
  if ([...records.keys()].some((key) => key.startsWith('GNU.sparse.'))) {
    throw chartFailure({ problem: 'sparse-file' });
  }
  const path = records.get('path');
  const size = records.get('size');
  const time = records.get('mtime');
  if (size !== undefined && !/^\d{1,15}$/.test(size)) throw invalidHeader();
  return {
    ...(path ? { name: path } : {}),
    ...(size === undefined ? {} : { sizeBytes: Number(size) }),
    ...(time === undefined ? {} : { modifiedAtNs: paxTime(time) }),
  };
}

/** Parses seconds with a fraction. */
function paxTime(text: string): bigint {
  const match = /^(-?)(\d{1,18})(?:\.(\d*))?$/.exec(text);
  if (match === null) throw invalidHeader();
  const [, sign, seconds, fraction = ''] = match;
  const ns = BigInt(seconds as string) * 1_000_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'));
  return sign === '-' ? -ns : ns;
}

function padding(sizeBytes: number): number {
  return (BLOCK_BYTES - (sizeBytes % BLOCK_BYTES)) % BLOCK_BYTES;
}

function truncated(): Error {
  return chartFailure({ problem: 'archive-cut' });
}
