import { isUtf8 } from 'node:buffer';
import { decodeUtf8 } from '@logtool/kube/src/values/sanitize.ts';
import { RECORD_FLAGS } from '../../contract/record-flags.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { ByteWriter } from './byte-writer.ts';

/** One record as contract/wire-record.ts has it: `[source, seconds, nanoseconds, "message", flags]`. */
export function writeRecord(writer: ByteWriter, record: LogRecord, source: number): void {
  const { at, message } = record;
  writer.byte(0x5b);
  writer.count(source);
  writer.byte(0x2c);
  if (at.seconds < 0) writer.ascii(String(at.seconds));
  else writer.count(at.seconds);
  writer.byte(0x2c);
  writer.count(at.nanos);
  writer.ascii(',"');
  let flags = flagsOf(record);
  if (isUtf8(message)) writer.jsonBytes(message);
  else {
    flags |= RECORD_FLAGS.lossy;
    writer.jsonBytes(Buffer.from(decodeUtf8(message)));
  }
  writer.ascii('",');
  writer.count(flags);
  writer.byte(0x5d);
}

function flagsOf(record: LogRecord): number {
  let flags = 0;
  if (record.stream === 'stdout') flags |= RECORD_FLAGS.stdout;
  else if (record.stream === 'stderr') flags |= RECORD_FLAGS.stderr;
  if (record.partial) flags |= RECORD_FLAGS.partial;
  if (record.late) flags |= RECORD_FLAGS.late;
  return flags;
}
