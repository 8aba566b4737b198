import type { CodedOf } from '@logtool/kube/src/values/coded-error.ts';
import type { Fact } from '../../domain/facts/fact.ts';
import type { Frame } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { CliNotices } from '../failures.ts';

/**
 * What the printer accepts: frames of the engine, facts about the cluster, and notices of the command line.
 */
export type PrintedFrame =
  | Frame
  | { readonly type: 'fact'; readonly fact: Fact }
  | ({ readonly type: 'notice' } & CodedOf<CliNotices>);

/**
 * Limits the messages of each container to this many bytes, newlines included: like `limitBytes` of pods/log,
 * it cuts the last message at the limit. Records of other containers keep their order.
 */
export async function* limitBytes(frames: AsyncIterable<Frame>, limit: number): AsyncGenerator<PrintedFrame> {
  const left = new Map<string, number>();
  const cut = new Set<string>();
  const take = (record: LogRecord): LogRecord | undefined => {
    const { id } = record.run.target;
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
      yield { type: 'notice', code: 'bytes-limited', data: { containers: cut.size } };
    }
    yield frame;
  }
}
