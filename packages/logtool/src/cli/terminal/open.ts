import { constants, openSync, writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { type Clock, sleep } from '@logtool/kube/src/values/clock.ts';
import { Backoff } from '@logtool/kube/src/values/retry.ts';

/** Pauses while a terminal is full. */
const FULL_POLICY = { firstMs: 1, maxMs: 32, jitter: false };
/** A quick terminal has room again in less time than the shortest pause. */
const QUICK_MS = 2;
/**
 * How long a terminal may accept nothing once the program ends; a visible one accepts some within that time.
 */
const PATIENCE_MS = 150;

/**
 * Writes everything, or, if a stopped terminal blocks the end, a part: returns the number of bytes. Throws
 * like `fs.writeSync`.
 */
export type WritePiece = (piece: Uint8Array) => Promise<number>;

/** Returns how to write to the terminal of a stream. The stream's owner gets errors of the stream itself. */
export function openTerminal(
  stream: NodeJS.WriteStream & { readonly fd: number },
  clock: Clock,
  signal: AbortSignal,
): WritePiece {
  return openAgain(stream.fd, clock, signal) ?? through(stream);
}

/**
 * Opens the terminal of a descriptor a second time. A write to the first one blocks while no reader drains it
 * (Ctrl-S, a slow remote window), the process handles no signals meanwhile, and settings would apply to the
 * shell, too. Undefined if it cannot be opened again: outside Linux, or if it belongs to another user.
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

/** Writes to a terminal as much as it has room for. */
class PatientWriter {
  readonly #terminal: number;
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #isQuick = true;
  /** It accepted nothing while the program was ending. */
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

  /**
   * Resolves with the number of bytes once the terminal accepts some; with 0 if it is stuck and the program
   * ends.
   */
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

  /** Whether the program ends and the terminal has had enough time. */
  #givesUp(now: number): boolean {
    if (!this.#signal.aborted) return false;
    this.#endingSince ??= now;
    this.#isStuck ||= now - this.#endingSince >= PATIENCE_MS;
    return this.#isStuck;
  }
}

/** Returns the number of bytes written; 0 if the terminal accepts none now. */
function tryWrite(fd: number, bytes: Uint8Array): number {
  try {
    return writeSync(fd, bytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return 0;
    throw error;
  }
}

/** Blocks while the terminal accepts nothing. */
function through(stream: NodeJS.WriteStream): WritePiece {
  return (piece) =>
    new Promise((resolve, reject) => {
      stream.write(piece, (error) => (error ? reject(error) : resolve(piece.length)));
    });
}
