import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { Frame } from '../../domain/frame.ts';
import type { LongLine } from '../../domain/notice.ts';
import type { LogRecord } from '../../domain/record.ts';
import { serverFailure } from '../failures.ts';
import { ByteWriter } from './byte-writer.ts';
import type { FileFormat } from './file-format.ts';

const CHUNK_BYTES = 64 * 1024;

/**
 * The records of a window as a file. Throws what keeps it from being whole: a container that cannot be read to its
 * end, or no source that can be read at all. A source among others that cannot be found or may not be read is left
 * out, as on the page, which says so. Throws `long-lines` if only the beginning of lines was matched, and
 * the rest may change the answer.
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

/** Counts the sources that cannot be read. */
class Losses {
  readonly #sources: number;
  #failed = 0;

  constructor(sources: number) {
    this.#sources = sources;
  }

  /** Throws what keeps the file from being whole. */
  check(frame: Frame): void {
    if (frame.type === 'source' && frame.state === 'failed') throw frame.error;
    if (frame.type !== 'notice') return;
    if (frame.code === 'long-lines') throw tooLong(frame.data);
    if (frame.code === 'source-failed' && ++this.#failed >= this.#sources) throw frame.error;
  }
}

/** A file cannot say that lines may be missing. */
function tooLong(line: LongLine): CodedError {
  return serverFailure('long-lines', line, { exit: 'usage' });
}
