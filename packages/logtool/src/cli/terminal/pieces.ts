const NEWLINE = 10;
/** What a slow terminal, as one far away, takes in a moment. */
const PIECE_BYTES = 8 * 1024;

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
