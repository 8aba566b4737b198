import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { Frame } from '../../domain/frame.ts';
import type { LongLine } from '../../domain/notice.ts';
import type { LogRecord } from '../../domain/record.ts';
import { serverFailure } from '../failures.ts';
import { ByteWriter } from './byte-writer.ts';
import type { FileFormat } from './file-format.ts';

const CHUNK_BYTES = 64 * 1024;

/**
 * Writes the records of a window as a file. Throws the reason if the file cannot be complete: a container that is
 * unreadable before its end, or no readable source at all. Leaves out a missing or forbidden source among others, like
 * the page, which reports it. Throws `long-lines` if only the beginning of lines was matched, and the rest may change
 * the answer.
 */
export async function* writeFile(
  frames: AsyncIterable<Frame>,
  format: FileFormat,
  count: {
    readonly sources: number;
    readonly onRecords?: ((records: readonly LogRecord[]) => void) | undefined;
  },
): AsyncGenerator<Uint8Array, void, undefined> {
  const writer = new ByteWriter();
  writer.text(format.head);
  const losses = new Losses(count.sources);
  for await (const frame of frames) {
    losses.check(frame);
    if (frame.type !== 'records') continue;
    count.onRecords?.(frame.records);
    for (const record of frame.records) {
      format.append(record, writer);
      if (writer.length >= CHUNK_BYTES) yield writer.take();
    }
  }
  if (writer.length > 0) yield writer.take();
}

/** Counts the unreadable sources. */
class Losses {
  readonly #sources: number;
  #failed = 0;

  constructor(sources: number) {
    this.#sources = sources;
  }

  /** Throws the reason if the file cannot be complete. */
  check(frame: Frame): void {
    if (frame.type === 'source' && frame.state === 'failed') throw frame.error;
    if (frame.type !== 'notice') return;
    if (frame.code === 'long-lines') throw tooLong(frame.data);
    if (frame.code === 'source-failed' && ++this.#failed >= this.#sources) throw frame.error;
  }
}

/** A file cannot report that lines may be missing. */
function tooLong(line: LongLine): CodedError {
  return serverFailure('long-lines', line, { exit: 'usage' });
}
