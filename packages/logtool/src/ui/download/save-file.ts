import type { EntryId, ViewSource } from '../worker/protocol/protocol.ts';
import type { LogWorker } from '../worker/session/log-worker-client.ts';
import { selectedLines, viewLines } from './held-lines.ts';
import { type FileKind, fileNameOf, LINE_FORMATS } from './line-format.ts';

export interface HeldFile {
  readonly worker: Pick<LogWorker, 'ask'>;
  readonly kind: FileKind;
  /** Undefined: the whole view. */
  readonly selected: ReadonlySet<EntryId> | undefined;
  readonly sources: () => readonly ViewSource[];
}

/** Makes a file of lines loaded in the page, and returns it with their count. */
export async function makeFile(held: HeldFile): Promise<{ readonly file: Blob; readonly lines: number }> {
  const format = LINE_FORMATS[held.kind];
  const pages =
    held.selected === undefined ? viewLines(held.worker) : selectedLines(held.worker, held.selected);
  const blobs: Blob[] = [new Blob([format.head])];
  let count = 0;
  for await (const lines of pages) {
    const sources = held.sources();
    count += lines.length;
    // A blob may be stored on disk; strings of a million lines would stay in memory.
    blobs.push(new Blob([lines.map((line) => format.write(line, sources[line.source])).join('')]));
  }
  return { file: new Blob(blobs, { type: format.contentType }), lines: count };
}

/** Starts a browser download of a file. */
export function saveFile(file: Blob, args: readonly string[], kind: FileKind, nowMs: number): void {
  const url = URL.createObjectURL(file);
  followDownload(url, fileNameOf(args, nowMs, LINE_FORMATS[kind].extension));
  // The browser reads the URL asynchronously.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Follows a download link. `name` undefined: the server names the file. */
export function followDownload(href: string, name?: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = name ?? '';
  document.body.append(link);
  link.click();
  link.remove();
}
