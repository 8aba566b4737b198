import { constants, openSync, writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { type Clock, sleep } from '@logtool/kube/src/values/clock.ts';

const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 32;
/** A terminal that is quick has room again in less time than the shortest pause takes. */
const QUICK_MS = 2;
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
  let isQuick = true;
  /** Resolves once it takes some, with how many bytes; with 0 where it is stuck and all is to end. */
  const writeSome = async (bytes: Uint8Array): Promise<number> => {
    const start = clock.steady();
    let endingSince: number | undefined;
    for (let pause = FIRST_PAUSE_MS; ; ) {
      const taken = tryWrite(terminal, bytes);
      const now = clock.steady();
      if (taken > 0) {
        isStuck = false;
        isQuick = now - start <= QUICK_MS;
        return taken;
      }
      if (signal.aborted) {
        endingSince ??= now;
        isStuck ||= now - endingSince >= PATIENCE_MS;
        if (isStuck) return 0;
      }
      if (isQuick && now - start < QUICK_MS) {
        await setImmediate();
        continue;
      }
      await sleep(clock, pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    }
  };
  return async (piece) => {
    let written = 0;
    while (written < piece.length) {
      const taken = await writeSome(piece.subarray(written));
      if (taken === 0) break;
      written += taken;
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
