import { constants, openSync, writeSync } from 'node:fs';
import { type Clock, sleep } from '../../domain/clock.ts';

const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 32;
/** How long a terminal may take nothing once all is to end: one that is shown takes some within that time. */
const PATIENCE_MS = 150;

/**
 * Writes all of it, or what a terminal that stands took of it before all was to end: how many bytes that are. Throws
 * as `fs.writeSync` does.
 */
export type WritePiece = (piece: Uint8Array) => Promise<number>;

/** How to write to the terminal of a stream. Errors of the stream itself are for whoever made it. */
export function openTerminal(
  stream: NodeJS.WriteStream & { readonly fd: number },
  clock: Clock,
  signal: AbortSignal,
): WritePiece {
  return openAgain(stream.fd, clock, signal) ?? through(stream);
}

/**
 * The terminal behind a descriptor, opened a second time: whoever writes to the first one stands still while nobody
 * reads (Ctrl-S, a window far away), no signal is heard meanwhile, and what is set on it is set for the shell, too.
 * Undefined where it cannot be opened that way: outside Linux, or when it is somebody else's.
 */
function openAgain(fd: number, clock: Clock, signal: AbortSignal): WritePiece | undefined {
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
  let terminal: number;
  try {
    terminal = openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    return undefined;
  }
  let isStuck = false;
  return async (piece) => {
    let written = 0;
    let pause = FIRST_PAUSE_MS;
    let endingSince: number | undefined;
    while (written < piece.length) {
      const taken = tryWrite(terminal, piece.subarray(written));
      if (taken > 0) {
        written += taken;
        pause = FIRST_PAUSE_MS;
        endingSince = undefined;
        isStuck = false;
        continue;
      }
      if (signal.aborted) {
        endingSince ??= clock.steady();
        isStuck ||= clock.steady() - endingSince >= PATIENCE_MS;
        if (isStuck) return written;
      }
      await sleep(clock, pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    }
    return written;
  };
}

/** How many bytes it took: 0 where it takes none for now. */
function tryWrite(fd: number, bytes: Uint8Array): number {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0;
    throw error;
  }
}

/** Stands still while the terminal takes nothing. */
function through(stream: NodeJS.WriteStream): WritePiece {
  return (piece) =>
    new Promise((resolve, reject) => {
      stream.write(piece, (error) => (error ? reject(error) : resolve(piece.length)));
    });
}
