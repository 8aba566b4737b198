const NEWLINE = 10;
/** What a slow terminal, as one far away, takes in a moment. */
const PIECE_BYTES = 8 * 1024;

/**
 * What is written to a terminal at once, lines whole where they fit: between two pieces there has to be time for a
 * signal, which may not be heard while one is written.
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
