import { LogtoolError, usageError } from '@logtool/kube/src/values/errors.ts';
import type { Frame } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import { ByteWriter } from './byte-writer.ts';
import type { FileFormat } from './file-format.ts';

const CHUNK_BYTES = 64 * 1024;

/**
 * The records of a window as a file. Throws what keeps it from being whole: a container that cannot be read to its
 * end, or no source that can be read at all. A source among others that cannot be found or may not be read is left
 * out, as on the page, which says so. Throws `long-lines` where only the beginning of lines was matched, and
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
  let failed = 0;
  for await (const frame of frames) {
    switch (frame.type) {
      case 'records':
        count.onRecords?.(frame.records);
        for (const record of frame.records) {
          format.append(record, writer);
          if (writer.length >= CHUNK_BYTES) yield writer.take();
        }
        break;
      case 'notice':
        if (frame.code === 'long-lines') throw tooLong(frame.text);
        if (frame.error !== undefined && ++failed >= count.sources) throw frame.error;
        break;
      case 'source':
        if (frame.state === 'failed') throw frame.error ?? unreadable(frame.target.pod, frame.detail);
        break;
      default:
        break;
    }
  }
  if (writer.length > 0) yield writer.take();
}

/** A file cannot say that lines may be missing. */
function tooLong(why: string): LogtoolError {
  return usageError({
    code: 'long-lines',
    what: 'lines are too long for this pattern',
    why,
    next: 'use a smaller pattern, or text without operators',
  });
}

function unreadable(pod: string, why: string): LogtoolError {
  return new LogtoolError({
    code: 'log-unreadable',
    what: `the log of ${pod} cannot be read to its end`,
    why,
  });
}
