import type { ContainerFolder } from '../../backend/container-folder.ts';
import { EntryLines } from '../../backend/entry-lines.ts';
import { checkFormat } from '../../backend/file-lines.ts';
import { newestName } from '../../backend/run-files.ts';
import { type RunQuery, type RunStart, startOfRun } from '../../backend/run-lines.ts';
import { CHUNK_BYTES, openAgain } from '../files/file-body.ts';
import type { LocalFolder } from '../files/local-folder.ts';
import { UnreadableFile } from '../files/unreadable-file.ts';
import { FileChain } from './file-chain.ts';
import { type ChangesOptions, FolderChanges } from './folder-changes.ts';
import type { HeldFile } from './survey-run.ts';

const NOTHING = Buffer.alloc(0);

/**
 * Yields the lines of a run over all of its files, those that it has and those that come, as the log API returns them
 * with `timestamps=true`; first an empty chunk, once it is open. Each line once and in order, whatever the kubelet
 * rotates and compresses meanwhile. Ends when the run's files are removed, or after its last line if the container was
 * started again: the files do not tell that a container has ended for good. Throws RemovedUnread if the kubelet removed
 * lines that are still to be read, and what the folder throws.
 */
export async function* followRun(
  folder: LocalFolder,
  run: number,
  query: Omit<RunQuery, 'limitBytes'>,
  options: ChangesOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const chain = await FileChain.open(folder, run, options.clock);
  let changes: FolderChanges | undefined;
  try {
    const start = await startOfRun(folderOf(chain, folder, options.signal), chain.files, query, options);
    changes = await FolderChanges.watch(folder, () => chain.inspect(), options);
    yield NOTHING;
    yield* linesFrom(chain, changes, start, query);
  } finally {
    await changes?.close();
    await chain.close();
  }
}

/** Returns the folder as it was when the chain was opened: its newest file stays the newest. */
function folderOf(chain: FileChain, folder: LocalFolder, signal: AbortSignal): ContainerFolder {
  const { newest, files } = chain;
  const newestFile = newestName(files.run);
  return {
    filesOf: async () => files,
    open: (name, range) =>
      newest === undefined || name !== newestFile
        ? folder.open(name, range)
        : openAgain(newest.handle, { name, range, signal }),
  };
}

async function* linesFrom(
  chain: FileChain,
  changes: FolderChanges,
  { index, offset, skip }: RunStart,
  { sinceTime: since, stream }: Omit<RunQuery, 'limitBytes'>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const lines = new EntryLines({ since, stream, skip });
  for (let passed = 0; passed <= index && chain.hasNext; passed++) await chain.advance();
  for (let from = offset; ; from = 0) {
    for await (const chunk of bytesOfCurrent(chain, changes, from)) {
      const bytes = lines.push(chunk);
      if (bytes.length > 0) yield bytes;
      checkFormat(lines);
    }
    const isLast = !chain.hasNext;
    const rest = lines.endFile(isLast);
    if (rest.length > 0) yield rest;
    if (isLast) return checkFormat(lines);
    await chain.advance();
  }
}

/** Yields what the file that the chain is at has from a byte on, and what comes into it until it is complete. */
async function* bytesOfCurrent(
  chain: FileChain,
  changes: FolderChanges,
  from: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const file = await chain.openCurrent();
  if (file !== undefined && !('handle' in file)) yield* file;
  let at = from;
  for (;;) {
    const { count } = changes;
    // Asked before it is read: what came until then is read, too.
    const complete = await chain.isComplete();
    const before = at;
    if (file !== undefined && 'handle' in file) {
      for await (const chunk of bytesUntilNow(file, at, chain.currentName)) {
        at += chunk.length;
        yield chunk;
      }
    }
    if (complete === true) break;
    if (at === before) await changes.after(count, complete.inMs);
  }
  chain.checkNext();
}

/** Yields what a file has from a byte on. Throws UnreadableFile if somebody cut it shorter. */
async function* bytesUntilNow(
  { handle }: HeldFile,
  from: number,
  name: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const { size } = await handle.stat();
  if (size < from) throw new UnreadableFile(name, 'cut');
  for (let at = from; at < size; ) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - at));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
    if (bytesRead === 0) throw new UnreadableFile(name, 'cut');
    at += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}
