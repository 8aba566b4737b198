import {
  compareTimestamps,
  formatTimestamp,
  parseTimestamp,
  type Timestamp,
} from '@logtool/kube/src/values/timestamp.ts';

/**
 * Where an entry begins in the logs of a container on its node. It stays what it is when the kubelet renames or compresses
 * the file.
 */
export interface LogPosition {
  /** The restart count of the container at that run. */
  readonly run: number;
  /**
   * Time of the first entry of the file, which no other file of the run has: stamps are exact to the nanosecond.
   * Undefined: the beginning of the run, whichever file that is.
   */
  readonly file: Timestamp | undefined;
  /** Bytes before it in the file, uncompressed. */
  readonly offset: number;
}

const TEXT = /^(0|[1-9]\d{0,9}):(.*):(0|[1-9]\d{0,14})$/;

/** Returns the text of a position: `0:2026-11-21T10:00:00.000000000Z:4711`. */
export function formatPosition({ run, file, offset }: LogPosition): string {
  return `${run}:${file === undefined ? '' : formatTimestamp(file)}:${offset}`;
}

/** Reads the text of a position; undefined if it is none. */
export function parsePosition(text: string): LogPosition | undefined {
  const [, run, stamp, offset] = TEXT.exec(text) ?? [];
  if (run === undefined) return undefined;
  const file = stamp === '' ? undefined : parseTimestamp(stamp ?? '');
  if (stamp !== '' && file === undefined) return undefined;
  return { run: Number(run), file, offset: Number(offset) };
}

/** Compares positions of files of one clock; one that names no file is before all files of its run. */
export function comparePositions(a: LogPosition, b: LogPosition): number {
  if (a.run !== b.run) return a.run - b.run;
  if (a.file === undefined || b.file === undefined)
    return (a.file === undefined ? 0 : 1) - (b.file === undefined ? 0 : 1) || a.offset - b.offset;
  return compareTimestamps(a.file, b.file) || a.offset - b.offset;
}
