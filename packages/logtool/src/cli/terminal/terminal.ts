import { setImmediate } from 'node:timers/promises';
import type { OutputStream } from '../context.ts';
import type { WritePiece } from './open.ts';

/** A slow terminal, such as a remote one, accepts this much in a moment. */
const PIECE_BYTES = 8 * 1024;

const NEWLINE = 10;

export interface TerminalEvents {
  /** A write failed; may be called more than once. */
  readonly onError: (error: NodeJS.ErrnoException) => void;
  /** The terminal omitted a part, because the program was ending. */
  readonly onCut: () => void;
}

/**
 * Prints to a terminal one write after the other, for all streams, so that a notice does not interrupt a
 * line. When `signal` aborts, the current write is cut short, but later writes still go out.
 */
export class Terminal {
  readonly #signal: AbortSignal;
  #last: Promise<void> = Promise.resolve();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** A write resolves when it is done, cut short or failed. */
  stream(stream: { readonly columns: number }, writePiece: WritePiece, events: TerminalEvents): OutputStream {
    return {
      isTTY: true,
      get columns() {
        return stream.columns;
      },
      write: (chunk) => {
        const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
        this.#last = this.#last.then(() => this.#write(bytes, writePiece, events)).catch(events.onError);
        return this.#last;
      },
    };
  }

  /** Resolves when nothing remains to write. */
  async written(): Promise<void> {
    await this.#last;
  }

  async #write(bytes: Uint8Array, writePiece: WritePiece, { onCut }: TerminalEvents): Promise<void> {
    const wasAborted = this.#signal.aborted;
    let written = 0;
    for (const piece of terminalPieces(bytes)) {
      const taken = await writePiece(piece);
      written += taken;
      // Gives signals a turn between two pieces.
      await setImmediate();
      if (taken < piece.length || (!wasAborted && this.#signal.aborted)) break;
    }
    if (written === bytes.length) return;
    onCut();
    // A prompt needs its own line. If the text has no final newline, its writer handles that.
    if (written > 0 && bytes[written - 1] !== NEWLINE && bytes.at(-1) === NEWLINE)
      await writePiece(Buffer.from('\n'));
  }
}

/**
 * Splits text into pieces, each one write to a terminal, with whole lines if they fit: between two pieces
 * signals get a turn, because a write may block them.
 */
export function* terminalPieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; ) {
    const most = Math.min(start + PIECE_BYTES, bytes.length);
    const newline = most === bytes.length ? most - 1 : bytes.lastIndexOf(NEWLINE, most - 1);
    const end = newline >= start ? newline + 1 : most;
    yield bytes.subarray(start, end);
    start = end;
  }
}
