import type { Status } from '../../agent-api/status/status.ts';
import { formatPosition, type LogPosition } from '../../backend/log-position.ts';
import { COUNTED_LEVELS } from '../../domain/coverage/scan.ts';
import type { FileEntry } from '../entries/file-entries.ts';
import type { LogFile } from '../entries/log-file.ts';
import type { CountItem } from '../search/count-lines.ts';
import type { SearchItem } from '../search/search-entries.ts';

const LF = 10;
/** For a place that is not known. */
const UNKNOWN = '-';
/** A number has at most 15 digits, and a blank and a newline are around the entry. */
const MAX_AROUND = 17;

/**
 * Writes entries as lines, each with its position in front, and what else is known as lines that begin with `#`:
 * `#file POSITION NAME` before the entries of a file, `#gap FROM TO CAUSE`, `#progress DONE TOTAL` in bytes, `#coverage FROM TO`,
 * `#counts JSON`, `#end POSITION` after the last line.
 */
export async function* entryText(
  items: AsyncIterable<SearchItem | CountItem>,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const item of items) {
    const bytes = textOf(item);
    if (bytes !== undefined) yield bytes;
  }
}

/** Writes why an answer ends before its end. */
export function errorText(status: Status): Uint8Array {
  return Buffer.from(`#error ${JSON.stringify(status)}\n`);
}

function textOf(item: SearchItem | CountItem): Uint8Array | undefined {
  switch (item.kind) {
    case 'file':
      return Buffer.from(`#file ${prefixOf(item.file)}0 ${item.file.name}\n`);
    case 'entries':
      return item.entries.length === 0 ? undefined : textOfEntries(item.entries);
    case 'gap':
      return Buffer.from(`#gap ${positionText(item.from)} ${positionText(item.to)} ${item.cause}\n`);
    case 'progress':
      return Buffer.from(`#progress ${item.done} ${item.total}\n`);
    case 'coverage':
      return Buffer.from(`#coverage ${positionText(item.from)} ${positionText(item.to)}\n`);
    case 'counts': {
      const { bucketMs, buckets } = item;
      return Buffer.from(`#counts ${JSON.stringify({ bucketMs, levels: COUNTED_LEVELS, buckets })}\n`);
    }
    case 'line-end':
      return undefined;
    case 'end':
      return Buffer.from(`#end ${positionText(item.position)}\n`);
  }
}

function positionText(position: LogPosition | undefined): string {
  return position === undefined ? UNKNOWN : formatPosition(position);
}

function prefixOf({ run, first }: LogFile): string {
  return formatPosition({ run, file: first, offset: 0 }).slice(0, -1);
}

function textOfEntries(entries: readonly FileEntry[]): Uint8Array {
  let file: LogFile | undefined;
  let prefix = '';
  let length = 0;
  for (const entry of entries) {
    if (entry.file !== file) {
      file = entry.file;
      prefix = prefixOf(file);
    }
    length += prefix.length + entry.text.length + MAX_AROUND;
  }
  const out = Buffer.allocUnsafe(length);
  let at = 0;
  file = undefined;
  for (const entry of entries) {
    if (entry.file !== file) {
      file = entry.file;
      prefix = prefixOf(file);
    }
    at += out.write(`${prefix}${entry.offset} `, at, 'latin1');
    at += entry.text.copy(out, at);
    out[at++] = LF;
  }
  return out.subarray(0, at);
}
