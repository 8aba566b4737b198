import type { Clock } from '../values/clock.ts';
import { ProblemError } from '../values/problems.ts';

/** As client-go (HTTP2_READ_IDLE_TIMEOUT_SECONDS, HTTP2_PING_TIMEOUT_SECONDS): a cable that was pulled says nothing. */
export const SILENCE_MS = 30_000;
export const PING_TIMEOUT_MS = 15_000;
/** Time between two checks of the connection. */
export const CHECK_INTERVAL_MS = 1_000;
/** Silence after which a connection that had something to say is asked a first time, to see the question go out. */
const PAUSE_MS = 2 * CHECK_INTERVAL_MS;
/** Checks in a row that find something unsent: one may come just before the data is sent. */
const MAX_UNSENT_CHECKS = 2;

interface Watched {
  readonly clock: Clock;
  /** Bytes that have come so far. */
  readonly bytesRead: () => number;
  /** Something waits to be sent. */
  readonly isStuck: () => boolean;
  /** Asks the other side for a sign of life: the answer is heard as any other byte. */
  readonly ask: (onAnswer: () => void) => void;
  /** Nothing will come any more. */
  readonly onDead: (error: Error) => void;
}

/**
 * Watches a connection that should receive data, until the returned function is called. Node 20 does not
 * report two failures of an HTTP/2 session, and stops reading after them: a write over TLS to a reset
 * connection, and a frame that breaks the protocol. Unsent data then stays where it is.
 */
export function watchSilence({ clock, bytesRead, isStuck, ask, onDead }: Watched): () => void {
  let read = bytesRead();
  /** As of the last answer: there was nothing to hear since. */
  let answered = -1;
  let silentMs = 0;
  let stuck = 0;
  const checkSilence = () => {
    const now = bytesRead();
    // Counted and not measured: while the process was stopped, it could not read.
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
