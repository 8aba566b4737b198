import type { Socket } from 'node:net';
import type { Clock } from '../../domain/clock.ts';

/** As client-go (HTTP2_READ_IDLE_TIMEOUT_SECONDS, HTTP2_PING_TIMEOUT_SECONDS): a cable that was pulled says nothing. */
export const SILENCE_MS = 30_000;
export const PING_TIMEOUT_MS = 15_000;
/** Between looks at the connection. */
export const LOOK_MS = 1_000;

interface Watched {
  readonly socket: Socket;
  readonly clock: Clock;
  /** Asks the other side for a sign of life: the answer is heard as any other byte. */
  readonly ask: () => void;
  /** Nothing will come any more. */
  readonly onDead: (error: Error) => void;
}

/** Watches a connection that something is expected of, until the returned function is called. */
export function watchSilence({ socket, clock, ask, onDead }: Watched): () => void {
  let read = socket.bytesRead;
  let silentMs = 0;
  const look = () => {
    // Counted and not measured: while the process was stopped nobody listened.
    silentMs = socket.bytesRead === read ? silentMs + LOOK_MS : 0;
    read = socket.bytesRead;
    if (silentMs > 0 && isBroken(socket)) return onDead(dead('ECONNRESET', 'the connection was reset'));
    if (silentMs >= SILENCE_MS + PING_TIMEOUT_MS)
      return onDead(dead('ETIMEDOUT', `no answer to a ping within ${PING_TIMEOUT_MS / 1000} s`));
    if (silentMs === SILENCE_MS) ask();
    stop = clock.after(LOOK_MS, look);
  };
  let stop = clock.after(LOOK_MS, look);
  return () => stop();
}

/**
 * The system has given the connection up. Node hears of that when it reads, and no longer reads over TLS once it has
 * written to a connection that was reset: write_size_ of its TLSWrap stays as it was, and HTTP/2 waits for that write.
 */
function isBroken(socket: Socket): boolean {
  const { _handle } = socket as { readonly _handle?: { getpeername?(into: object): number } | null };
  return (_handle?.getpeername?.({}) ?? 0) < 0;
}

function dead(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
