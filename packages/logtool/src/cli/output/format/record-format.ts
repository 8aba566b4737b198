import type { ContainerTarget } from '../../../domain/container.ts';
import type { LogRecord } from '../../../domain/record.ts';
import type { ByteBuilder } from './byte-builder.ts';

/** Formats records as lines of standard output. */
export interface RecordFormat {
  /** Registers a new container: columns grow, and it gets a color. */
  see(target: ContainerTarget): void;
  /** Returns the header with its newline; undefined if there is none. */
  header(): string | undefined;
  /**
   * Returns the colored bullet before the container's records; undefined if they have none, or show the pod's
   * name, too.
   */
  bulletOf?(target: ContainerTarget): string | undefined;
  /** Appends the record's line with its newline. */
  append(record: LogRecord, to: ByteBuilder): void;
  /** After a record whose formatting takes long, returns a promise to await, so that signals take effect. */
  readonly rest?: (() => Promise<void> | undefined) | undefined;
  /** What the format cannot show as requested; reported once. */
  readonly notice?: string | undefined;
}

/** Appends records. Throws the signal's reason if it aborts during slow formatting. */
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
 * Formats only the messages: byte for byte, or for a terminal through `forTerminal`, which escapes control
 * sequences.
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
