import { isUtf8 } from 'node:buffer';
import { decodeUtf8 } from '@logtool/kube/src/values/sanitize.ts';
import type { LogFrame, ScanFrame } from '../../contract/log-frame.ts';
import { RECORD_FLAGS } from '../../contract/record-flags.ts';
import type { LogRecord } from '../../domain/record.ts';
import { line } from '../ndjson/ndjson-answer.ts';
import { ByteWriter } from './byte-writer.ts';
import type { SourceTable } from './source-table.ts';
import { type PlainFrame, toWireFrame } from './to-wire-frame.ts';

const BATCH_RECORDS = 256;
/** Maximum bytes of a batch: long lines make smaller batches. */
const BATCH_BYTES = 64 * 1024;

/** Writes the frames of one query as lines, records in batches. Finished lines wait in `pieces`. */
export class FrameWriter {
  readonly pieces: Uint8Array[] = [];
  /** Bytes in `pieces`. */
  waitingBytes = 0;
  readonly #id: number;
  readonly #table: SourceTable;
  readonly #writer = new ByteWriter();
  readonly #head: string;
  #records = 0;

  constructor(id: number, table: SourceTable) {
    this.#id = id;
    this.#table = table;
    this.#head = `{"type":"records","q":${id},"records":[`;
  }

  /** Whether an unfinished batch contains records. */
  get hasOpenBatch(): boolean {
    return this.#records > 0;
  }

  records(records: readonly LogRecord[]): void {
    const writer = this.#writer;
    for (const record of records) {
      if (this.#records === 0) writer.ascii(this.#head);
      else writer.byte(0x2c);
      writeRecord(writer, record, this.#table.indexOf(record.run));
      this.#records++;
      if (this.#records >= BATCH_RECORDS || writer.length >= BATCH_BYTES) this.closeBatch();
    }
  }

  closeBatch(): void {
    if (this.#records === 0) return;
    this.#writer.ascii(']}\n');
    this.#records = 0;
    this.#push(this.#writer.take());
  }

  /** Writes any other frame, after the records that precede it. */
  frame(frame: LogFrame | ScanFrame): void {
    this.closeBatch();
    this.#push(line(frame));
  }

  take(): Uint8Array | undefined {
    const piece = this.pieces.shift();
    if (piece !== undefined) this.waitingBytes -= piece.length;
    return piece;
  }

  #push(piece: Uint8Array): void {
    this.pieces.push(piece);
    this.waitingBytes += piece.length;
  }

  /** Writes a frame of the engine without records, converted to the contract. */
  engineFrame(frame: PlainFrame): void {
    const wire = toWireFrame(frame, this.#id, this.#table);
    if (wire !== undefined) this.frame(wire);
  }
}

/** Writes one record in the form of contract/wire-record.ts: `[source, seconds, nanoseconds, "message", flags]`. */
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
  else record.stream satisfies undefined;
  if (record.partial) flags |= RECORD_FLAGS.partial;
  if (record.late) flags |= RECORD_FLAGS.late;
  return flags;
}
