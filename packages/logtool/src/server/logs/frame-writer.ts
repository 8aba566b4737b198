import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { LogFrame } from '../../contract/log-frame.ts';
import { formatCursor } from '../../domain/cursor.ts';
import type { Frame } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import { line } from '../ndjson/ndjson-answer.ts';
import { toWireError } from '../to-wire-error.ts';
import { ByteWriter } from './byte-writer.ts';
import type { SourceTable } from './source-table.ts';
import { writeRecord } from './write-record.ts';

const BATCH_RECORDS = 256;
/** Long lines make smaller batches. */
const BATCH_BYTES = 64 * 1024;

/** Puts the frames of one query into lines, records in batches. Finished lines wait in `pieces`. */
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

  /** Records are in a batch that is not finished. */
  get hasOpenBatch(): boolean {
    return this.#records > 0;
  }

  records(records: readonly LogRecord[]): void {
    const writer = this.#writer;
    for (const record of records) {
      if (this.#records === 0) writer.ascii(this.#head);
      else writer.byte(0x2c);
      writeRecord(writer, record, this.#table.indexOf(record.source));
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

  /** Any other frame, behind the records that came before it. */
  frame(frame: LogFrame): void {
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

  /** A frame of the engine that has no records, in the words of the contract. */
  engineFrame(frame: Exclude<Frame, { readonly type: 'records' }>): void {
    const wire = this.#wireFrame(frame);
    if (wire !== undefined) this.frame(wire);
  }

  #wireFrame(frame: Exclude<Frame, { readonly type: 'records' }>): LogFrame | undefined {
    const q = this.#id;
    switch (frame.type) {
      case 'source': {
        const { state, detail, others, otherIds, error } = frame;
        return {
          type: 'state',
          q,
          source: this.#table.see(frame.target),
          state,
          detail,
          ...(others === undefined ? {} : { others }),
          ...(otherIds === undefined ? {} : { otherIds: [...otherIds] }),
          ...(error === undefined ? {} : { error: toWireError(error) }),
        };
      }
      case 'gap':
        return {
          type: 'gap',
          q,
          source: this.#table.see(frame.target),
          ...(frame.from === undefined ? {} : { from: formatTimestamp(frame.from) }),
          ...(frame.to === undefined ? {} : { to: formatTimestamp(frame.to) }),
          why: frame.why,
        };
      case 'progress':
        return { ...frame, q };
      case 'notice': {
        const { error, ...notice } = frame;
        return { ...notice, q, ...(error === undefined ? {} : { error: toWireError(error) }) };
      }
      case 'end':
        return {
          type: 'end',
          q,
          live: frame.live,
          ...(frame.prev === undefined ? {} : { prev: formatCursor(frame.prev) }),
          ...(frame.next === undefined ? {} : { next: formatCursor(frame.next) }),
          cut: frame.cut,
        };
      case 'bytes':
        // Only a raw plan is answered with bytes.
        return undefined;
    }
  }
}
