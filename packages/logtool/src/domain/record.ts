import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerKey } from './container.ts';
import { type ContainerTarget, keyText } from './container.ts';

/** One run of one container, interned: all records of the run share the same object. */
export interface Source {
  readonly key: ContainerKey;
  /** keyText(key), kept because the order of records needs it at every comparison. */
  readonly keyText: string;
  readonly target: ContainerTarget;
}

export function makeSource(target: ContainerTarget, containerId: string): Source {
  const key = { podUid: target.podUid, container: target.container, containerId };
  return { key, keyText: keyText(key), target };
}

/** Whether two are the same run of a container, which may have been read twice. */
export function isSameRun(a: Source, b: Source): boolean {
  return a === b || a.keyText === b.keyText;
}

/** One line of a container's log. */
export interface LogRecord {
  readonly source: Source;
  readonly at: Timestamp;
  /** Place among the records of this source that were read in the same walk. */
  readonly seq: number;
  readonly stream?: 'stdout' | 'stderr' | undefined;
  /** The bytes that the container wrote, without the newline. May be invalid UTF-8. */
  readonly message: Uint8Array;
  /** The container wrote no newline after it: the last line of a run that ended. */
  readonly partial: boolean;
  /** It came after a later record had been handed out already. */
  readonly late: boolean;
}

/** Bytes that containers wrote in these records, without timestamps and newlines. */
export function messageBytes(records: readonly LogRecord[]): number {
  let bytes = 0;
  for (const { message } of records) bytes += message.length;
  return bytes;
}

/** The total order of records: (timestamp, key, sequence). Every page, merge and resume uses this one. */
export function compareRecords(a: LogRecord, b: LogRecord): number {
  // As compareTimestamps, written out: most of a merge is this.
  const byTime = a.at.seconds - b.at.seconds || a.at.nanos - b.at.nanos;
  if (byTime !== 0) return byTime;
  if (a.source !== b.source && a.source.keyText !== b.source.keyText) {
    return a.source.keyText < b.source.keyText ? -1 : 1;
  }
  return a.seq - b.seq;
}
