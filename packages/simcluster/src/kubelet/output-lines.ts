/** Maximum message bytes in one entry of containerd (its default max_container_log_line_size). */
export const MAX_ENTRY_BYTES = 16 * 1024;

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

/** The unterminated end of one stream of a process. */
export interface HeldLine {
  bytes: Buffer;
  length: number;
}

export function emptyHeldLine(): HeldLine {
  return { bytes: Buffer.alloc(0), length: 0 };
}

/** Receives one entry. The message is valid only during the call. */
export type EmitEntry = (message: Uint8Array, partial: boolean) => void;

/**
 * Cuts the output of a process into entries as containerd 1.6 does: at newlines, without the CR of CRLF, and after each
 * 16 KiB of a longer line (tag P). Keeps the rest in `held`.
 */
export function cutOutput(held: HeldLine, output: Uint8Array, emit: EmitEntry): void {
  let start = 0;
  for (;;) {
    const newline = output.indexOf(NEWLINE, start);
    if (newline < 0) break;
    const piece = output.subarray(start, newline);
    if (held.length === 0) {
      emitLine(piece, emit);
    } else {
      hold(held, piece);
      const line = held.bytes.subarray(0, held.length);
      held.length = 0;
      emitLine(line, emit);
    }
    start = newline + 1;
  }
  if (start < output.length) holdRest(held, output.subarray(start), emit);
}

/** Ends the output of a process: the held bytes become the last entry, with tag P, because no newline ended it. */
export function endOutput(held: HeldLine, emit: EmitEntry): void {
  if (held.length === 0) return;
  const line = held.bytes.subarray(0, held.length);
  held.length = 0;
  emit(line, true);
}

function emitLine(line: Uint8Array, emit: EmitEntry): void {
  let end = line.length;
  if (end > 0 && line[end - 1] === CARRIAGE_RETURN) end -= 1;
  let start = 0;
  for (; end - start > MAX_ENTRY_BYTES; start += MAX_ENTRY_BYTES) {
    emit(line.subarray(start, start + MAX_ENTRY_BYTES), true);
  }
  emit(line.subarray(start, end), false);
}

function holdRest(held: HeldLine, rest: Uint8Array, emit: EmitEntry): void {
  for (let start = 0; start < rest.length; ) {
    const piece = rest.subarray(start, start + MAX_ENTRY_BYTES);
    start += piece.length;
    hold(held, piece);
    // A trailing CR may belong to a CRLF whose LF has not arrived: it never fills an entry by itself.
    const certain = held.bytes[held.length - 1] === CARRIAGE_RETURN ? held.length - 1 : held.length;
    if (certain > MAX_ENTRY_BYTES) {
      emit(held.bytes.subarray(0, MAX_ENTRY_BYTES), true);
      held.bytes.copyWithin(0, MAX_ENTRY_BYTES, held.length);
      held.length -= MAX_ENTRY_BYTES;
    }
  }
}

function hold(held: HeldLine, piece: Uint8Array): void {
  const length = held.length + piece.length;
  if (held.bytes.length < length) {
    const bytes = Buffer.allocUnsafe(Math.max(256, length * 2));
    held.bytes.copy(bytes, 0, 0, held.length);
    held.bytes = bytes;
  }
  held.bytes.set(piece, held.length);
  held.length = length;
}
