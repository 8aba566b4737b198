import type { Frame } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';

/**
 * The frames with no more than this many bytes of messages, newlines included, of each container: as
 * `limitBytes` of pods/log, it cuts the last message at the limit. Records of other containers stay in their
 * order.
 */
export async function* limitBytes(frames: AsyncIterable<Frame>, limit: number): AsyncGenerator<Frame> {
  const left = new Map<string, number>();
  const cut = new Set<string>();
  const take = (record: LogRecord): LogRecord | undefined => {
    const { id } = record.source.target;
    const bytes = left.get(id) ?? limit;
    const needed = record.message.length + 1;
    left.set(id, Math.max(0, bytes - needed));
    if (needed <= bytes) return record;
    cut.add(id);
    return bytes === 0 ? undefined : { ...record, message: record.message.subarray(0, bytes) };
  };
  for await (const frame of frames) {
    if (frame.type === 'records') {
      const records = frame.records.flatMap((record) => take(record) ?? []);
      if (records.length > 0) yield { ...frame, records };
      continue;
    }
    if (frame.type === 'end' && cut.size > 0) {
      const whose = cut.size === 1 ? 'one container' : `${cut.size} containers`;
      yield { type: 'notice', code: 'bytes-limited', text: `--limit-bytes cut the records of ${whose}` };
    }
    yield frame;
  }
}
