import { setImmediate } from 'node:timers/promises';
import type { OutputStream } from '../context.ts';
import type { WritePiece } from './open.ts';

/** What a slow terminal, as one far away, takes in a moment. */
const PIECE_BYTES = 8 * 1024;

const NEWLINE = 10;

export interface TerminalEvents {
  /** A write failed; may be called more than once. */
  readonly onError: (error: NodeJS.ErrnoException) => void;
  /** A part was left out, because all was to end. */
  readonly onCut: () => void;
}

/**
 * Prints to a terminal one write after the other, whichever stream it is for, so that a notice does not
 * interrupt a line. Once `signal` is aborted, the current write is cut short, and later writes still go out.
 */
export class Terminal {
  readonly #signal: AbortSignal;
  #last: Promise<void> = Promise.resolve();

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  /** A write resolves when it is done, was cut short or has failed. */
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

  /** Resolves when nothing is left to write. */
  async written(): Promise<void> {
    await this.#last;
  }

  async #write(bytes: Uint8Array, writePiece: WritePiece, { onCut }: TerminalEvents): Promise<void> {
    const wasAborted = this.#signal.aborted;
    let written = 0;
    for (const piece of terminalPieces(bytes)) {
      const taken = await writePiece(piece);
      written += taken;
      // Between two pieces there is time for a signal.
      await setImmediate();
      if (taken < piece.length || (!wasAborted && this.#signal.aborted)) break;
    }
    if (written === bytes.length) return;
    onCut();
    // A prompt needs its own line; of what has no end of line yet, who wrote it knows.
    if (written > 0 && bytes[written - 1] !== NEWLINE && bytes.at(-1) === NEWLINE)
      await writePiece(Buffer.from('\n'));
  }
}

/**
 * The text to write to a terminal at once, lines whole if they fit: between two pieces there must be time for
 * a signal, which may go unnoticed during a write.
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
