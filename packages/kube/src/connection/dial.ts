import { connect, type Socket } from 'node:net';
import type { Clock } from '../values/clock.ts';
import { type ConnectStep, ProblemError } from '../values/problems.ts';

/**
 * Time for one of a name's addresses before the next is tried (RFC 8305); Node's 250 ms are too short for a far
 * cluster.
 */
const ADDRESS_ATTEMPT_MS = 2000;
/** Idle follows send nothing for hours: keep-alive detects a dead peer and keeps NAT entries alive. */
export const TCP_KEEP_ALIVE_MS = 30_000;
/** For each step: TCP, the proxy's response, TLS. */
export const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Returns a connected TCP socket with keep-alive. Rejects with the system's error, or with code ETIMEDOUT after 10 s.
 */
export function dial(
  host: string,
  port: number,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<Socket> {
  const socket = connect({
    host,
    port,
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
    autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
  });
  return settled(socket, 'connect', { step: 'connect', to: `${host}:${port}` }, clock, signal);
}

/** Resolves with the socket at that event. On an error, an early end, abort or time-out, destroys it and rejects. */
export function settled<S extends Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
  step: ConnectStep,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<S> {
  return guarded(socket, step, clock, signal, (resolve) => {
    const done = () => resolve(socket);
    socket.once(event, done);
    return () => socket.off(event, done);
  });
}

/**
 * Waits at most 10 s, while the socket lives, for the value that `start` resolves. `start` returns its clean-up.
 * Destroys the socket on failure.
 */
export function guarded<T>(
  socket: Socket,
  step: ConnectStep,
  clock: Clock,
  signal: AbortSignal | undefined,
  start: (resolve: (value: T) => void, reject: (error: unknown) => void) => () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      cleanUp();
      // A socket destroyed while it connects may still report an error.
      socket.on('error', () => {});
      socket.destroy();
      reject(error);
    };
    const onAbort = () => fail(signal?.reason);
    const onClose = () =>
      fail(new ProblemError({ code: 'connection-closed', data: { step } }, { code: 'ECONNRESET' }));
    const cancelTimer = clock.after(CONNECT_TIMEOUT_MS, () =>
      fail(
        new ProblemError(
          { code: 'step-silent', data: { step, limitMs: CONNECT_TIMEOUT_MS } },
          { code: 'ETIMEDOUT' },
        ),
      ),
    );
    const stop = start((value) => {
      cleanUp();
      resolve(value);
    }, fail);
    socket.once('error', fail).once('close', onClose);
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();

    function cleanUp(): void {
      cancelTimer();
      stop();
      socket.off('error', fail).off('close', onClose);
      signal?.removeEventListener('abort', onAbort);
    }
  });
}
