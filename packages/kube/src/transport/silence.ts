import type { Clock } from '../values/clock.ts';
import { ProblemError } from '../values/problems.ts';

/**
 * The values of client-go (HTTP2_READ_IDLE_TIMEOUT_SECONDS, HTTP2_PING_TIMEOUT_SECONDS): an unplugged cable reports no
 * error.
 */
export const SILENCE_MS = 30_000;
export const PING_TIMEOUT_MS = 15_000;
/** Time between two checks of the connection. */
export const CHECK_INTERVAL_MS = 1_000;
/** Silence after which a connection that received data gets its first ping, to see whether the ping goes out. */
const PAUSE_MS = 2 * CHECK_INTERVAL_MS;
/** How many consecutive checks may find unsent data: a single check may run just before the data is sent. */
const MAX_UNSENT_CHECKS = 2;

interface Watched {
  readonly clock: Clock;
  /** Returns the bytes received so far. */
  readonly bytesRead: () => number;
  /** Whether data waits to be sent. */
  readonly isStuck: () => boolean;
  /** Requests a sign of life from the other side; its response counts like any other received byte. */
  readonly ask: (onAnswer: () => void) => void;
  /** Called when nothing more will arrive. */
  readonly onDead: (error: Error) => void;
}

/**
 * Watches a connection that should receive data, until the returned function is called. Node 20 does not report two
 * failures of an HTTP/2 session, and stops reading after them: a write over TLS to a reset connection, and a frame that
 * violates the protocol. Data then stays unsent.
 */
export function watchSilence({ clock, bytesRead, isStuck, ask, onDead }: Watched): () => void {
  let read = bytesRead();
  /** `bytesRead` at the last response; if it is unchanged, nothing has arrived since. */
  let answered = -1;
  let silentMs = 0;
  let stuck = 0;
  const checkSilence = () => {
    const now = bytesRead();
    // Counts checks instead of measuring time: a suspended process could not read.
    silentMs = now === read ? silentMs + CHECK_INTERVAL_MS : 0;
    read = now;
    stuck = silentMs > 0 && isStuck() ? stuck + 1 : 0;
    if (stuck >= MAX_UNSENT_CHECKS)
      return onDead(new ProblemError({ code: 'connection-stuck', data: {} }, { code: 'ECONNRESET' }));
    if (silentMs >= SILENCE_MS + PING_TIMEOUT_MS)
      return onDead(
        new ProblemError(
          { code: 'ping-unanswered', data: { limitMs: PING_TIMEOUT_MS } },
          { code: 'ETIMEDOUT' },
        ),
      );
    if (silentMs === SILENCE_MS || (silentMs === PAUSE_MS && now !== answered))
      ask(() => {
        answered = bytesRead();
      });
    stop = clock.after(CHECK_INTERVAL_MS, checkSilence);
  };
  let stop = clock.after(CHECK_INTERVAL_MS, checkSilence);
  return () => stop();
}
