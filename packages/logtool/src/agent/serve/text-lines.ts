import { compareTimestamps, parseTimestamp, type Timestamp } from '@logtool/kube/src/values/timestamp.ts';

const LF = 10;
const BLANK = 32;
/** A stamp as the log API writes it: nine digits, UTC. */
const FULL_LENGTH = 30;
const STAMP = /^(.{19})(?:\.(\d+))?(.+)$/;

export interface TextOptions {
  readonly timestamps: boolean;
  /** Leave out lines that began before this time, to the nanosecond. */
  readonly since: Timestamp | undefined;
}

/**
 * Turns lines with the stamps of their files into what the log API returns: without stamps, or with stamps of nine
 * digits (k8s.io/cri-client/pkg/logs: RFC3339NanoFixed). A chunk begins a line, or goes on with one; it never begins
 * within a stamp. An empty one passes: it says that a log is open.
 */
export async function* textLines(
  lines: AsyncIterable<Uint8Array>,
  options: TextOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const text = new TextLines(options);
  for await (const chunk of lines) {
    const bytes = text.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength));
    if (bytes.length > 0 || chunk.length === 0) yield bytes;
  }
}

class TextLines {
  readonly #options: TextOptions;
  #isLineStart = true;
  #isLeftOut = false;

  constructor(options: TextOptions) {
    this.#options = options;
  }

  push(chunk: Buffer): Buffer {
    const pieces: Buffer[] = [];
    for (let at = 0; at < chunk.length; ) {
      const newline = chunk.indexOf(LF, at);
      const end = newline === -1 ? chunk.length : newline + 1;
      const from = this.#isLineStart ? this.#beginLine(chunk, at, pieces) : at;
      if (!this.#isLeftOut) pieces.push(chunk.subarray(from, end));
      this.#isLineStart = newline !== -1;
      at = end;
    }
    return Buffer.concat(pieces);
  }

  /** Returns where the message begins. */
  #beginLine(chunk: Buffer, at: number, pieces: Buffer[]): number {
    const { timestamps, since } = this.#options;
    const stampEnd = chunk.indexOf(BLANK, at);
    const stamp = chunk.toString('latin1', at, stampEnd);
    this.#isLeftOut = since !== undefined && isBefore(stamp, since);
    if (timestamps && !this.#isLeftOut) pieces.push(Buffer.from(`${fullStamp(stamp)} `));
    return stampEnd + 1;
  }
}

function isBefore(stamp: string, since: Timestamp): boolean {
  const at = parseTimestamp(stamp);
  return at === undefined || compareTimestamps(at, since) < 0;
}

function fullStamp(stamp: string): string {
  if (stamp.length === FULL_LENGTH && stamp.endsWith('Z')) return stamp;
  const [, second = stamp, fraction = '', zone = ''] = STAMP.exec(stamp) ?? [];
  // Go writes a zone of no offset as Z.
  const shown = /^[+-]00:00$/.test(zone) ? 'Z' : zone;
  return `${second}.${fraction.padEnd(9, '0').slice(0, 9)}${shown}`;
}
