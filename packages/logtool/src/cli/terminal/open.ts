import { constants, openSync, writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { type Clock, sleep } from '@logtool/kube/src/values/clock.ts';
import { Backoff } from '@logtool/kube/src/values/retry.ts';

/** Pauses of a terminal that is full. */
const FULL_POLICY = { firstMs: 1, maxMs: 32, jitter: false };
/** A terminal that is quick has room again in less time than the shortest pause takes. */
const QUICK_MS = 2;
/** How long a terminal may take nothing once all is to end: one that is shown takes some within that time. */
const PATIENCE_MS = 150;

/**
 * Writes everything, or the part that a stopped terminal took before the end: returns the number of bytes.
 * Throws as `fs.writeSync` does.
 */
export type WritePiece = (piece: Uint8Array) => Promise<number>;

/** How to write to the terminal of a stream. Errors of the stream itself go to its owner. */
export function openTerminal(
  stream: NodeJS.WriteStream & { readonly fd: number },
  clock: Clock,
  signal: AbortSignal,
): WritePiece {
  return openAgain(stream.fd, clock, signal) ?? through(stream);
}

/**
 * The terminal of a descriptor, opened a second time: a write to the first one blocks while no reader drains
 * it (Ctrl-S, a window far away), signals are not handled meanwhile, and settings apply to the shell, too.
 * Undefined if it cannot be opened that way: outside Linux, or if it belongs to another user.
 */
function openAgain(fd: number, clock: Clock, signal: AbortSignal): WritePiece | undefined {
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants;
  let terminal: number;
  try {
    terminal = openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY);
  } catch {
    return undefined;
  }
  const writer = new PatientWriter(terminal, clock, signal);
  return (piece) => writer.write(piece);
}

/** Writes to a terminal that takes what it has room for. */
class PatientWriter {
  readonly #terminal: number;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #isQuick = true;
  /** It took nothing while all was to end. */
  #isStuck = false;
  #endingSince: number | undefined;

  constructor(terminal: number, clock: Clock, signal: AbortSignal) {
    this.#terminal = terminal;
    this.#clock = clock;
    this.#signal = signal;
  }

  async write(piece: Uint8Array): Promise<number> {
    let written = 0;
    while (written < piece.length) {
      const taken = await this.#writeSome(piece.subarray(written));
      if (taken === 0) break;
      written += taken;
    }
    return written;
  }

  /** Resolves once it takes some, with how many bytes; with 0 where it is stuck and all is to end. */
  async #writeSome(bytes: Uint8Array): Promise<number> {
    const start = this.#clock.steady();
    this.#endingSince = undefined;
    const pauses = new Backoff(FULL_POLICY);
    for (;;) {
      const taken = tryWrite(this.#terminal, bytes);
      const now = this.#clock.steady();
      if (taken > 0) {
        this.#isStuck = false;
        this.#isQuick = now - start <= QUICK_MS;
        return taken;
      }
      if (this.#givesUp(now)) return 0;
      if (this.#isQuick && now - start < QUICK_MS) await setImmediate();
      else await sleep(this.#clock, pauses.nextMs());
    }
  }

  /** Whether all is to end and the terminal has had its time. */
  #givesUp(now: number): boolean {
    if (!this.#signal.aborted) return false;
    this.#endingSince ??= now;
    this.#isStuck ||= now - this.#endingSince >= PATIENCE_MS;
    return this.#isStuck;
  }
}

/** How many bytes it took: 0 if it takes none for now. */
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
