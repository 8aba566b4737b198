import type { ContainerTarget } from '../../../domain/container.ts';
import type { LogRecord } from '../../../domain/record.ts';
import type { ByteBuilder } from './byte-builder.ts';

/** Turns records into lines of standard output. */
export interface RecordFormat {
  /** A container came into view: columns grow, colours are allotted. */
  see(target: ContainerTarget): void;
  /** The header with its newline; undefined if there is none. */
  header(): string | undefined;
  /** The colored bullet before the container's records; undefined if they have none, or its name too. */
  bulletOf?(target: ContainerTarget): string | undefined;
  /** Appends the record's line with its newline. */
  append(record: LogRecord, to: ByteBuilder): void;
  /** After a record: where making lines takes long, a promise to wait for, so that signals are heeded. */
  readonly rest?: (() => Promise<void> | undefined) | undefined;
  /** What cannot be shown as asked for, to be reported once. */
  readonly notice?: string | undefined;
}

/** Appends records. Throws the signal's reason where it is aborted while making their lines takes long. */
export async function appendRecords(
  format: RecordFormat,
  records: readonly LogRecord[],
  to: ByteBuilder,
  signal: AbortSignal,
): Promise<void> {
  for (const record of records) {
    format.append(record, to);
    const rest = format.rest?.();
    if (rest === undefined) continue;
    await rest;
    signal.throwIfAborted();
  }
}

/**
 * Only the messages: byte for byte, but on a terminal (`forTerminal` escapes a message) nothing that it would
 * obey.
 */
export function createRawFormat(forTerminal: ((message: Uint8Array) => string) | undefined): RecordFormat {
  return {
    see: () => undefined,
    header: () => undefined,
    append(record, to) {
      if (forTerminal === undefined) to.bytes(record.message);
      else to.text(forTerminal(record.message));
      to.newline();
    },
  };
}
