import type { Timestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { ContainerKey } from './container.ts';
import { type ContainerTarget, keyText } from './container.ts';

/** One run of one container, interned: all records of the run share the same object. */
export interface Run {
  readonly key: ContainerKey;
  /** keyText(key), stored because every comparison of records needs it. */
  readonly keyText: string;
  readonly target: ContainerTarget;
}

export function makeRun(target: ContainerTarget, containerId: string): Run {
  const key = { podUid: target.podUid, container: target.container, containerId };
  return { key, keyText: keyText(key), target };
}

/** Whether two are the same run of a container, which may have been read twice. */
export function isSameRun(a: Run, b: Run): boolean {
  return a === b || a.keyText === b.keyText;
}

/** One line of a container's log. */
export interface LogRecord {
  readonly run: Run;
  readonly at: Timestamp;
  /** Index among the records of this run that the same walk read. */
  readonly seq: number;
  readonly stream?: 'stdout' | 'stderr' | undefined;
  /** The bytes that the container wrote, without the newline. May be invalid UTF-8. */
  readonly message: Uint8Array;
  /** The container wrote no newline after it: the last line of a run that ended. */
  readonly partial: boolean;
  /** It arrived after a later record was already out. */
  readonly late: boolean;
}

/** Counts the bytes that containers wrote in these records, without timestamps and newlines. */
export function messageBytes(records: readonly LogRecord[]): number {
  let bytes = 0;
  for (const { message } of records) bytes += message.length;
  return bytes;
}

/** Compares records in their total order: (timestamp, key, sequence). Every page, merge and resume uses this one. */
export function compareRecords(a: LogRecord, b: LogRecord): number {
  // Inlines compareTimestamps: a merge spends most of its time here.
  const byTime = a.at.seconds - b.at.seconds || a.at.nanos - b.at.nanos;
  if (byTime !== 0) return byTime;
  if (a.run !== b.run && a.run.keyText !== b.run.keyText) {
    return a.run.keyText < b.run.keyText ? -1 : 1;
  }
  return a.seq - b.seq;
}
