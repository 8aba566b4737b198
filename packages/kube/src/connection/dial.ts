import { connect, type Socket } from 'node:net';
import type { Clock } from '../values/clock.ts';
import { type ConnectStep, ProblemError } from '../values/problems.ts';

/** A name's addresses are tried in turn (RFC 8305); Node's 250 ms are too few for a far cluster. */
const ADDRESS_ATTEMPT_MS = 2000;
/** Idle follows send nothing for hours: keep-alive finds the peer that is gone, and keeps NAT entries. */
export const TCP_KEEP_ALIVE_MS = 30_000;
/** For each step: TCP, the proxy's answer, TLS. */
export const CONNECT_TIMEOUT_MS = 10_000;

/** A connected TCP socket with keep-alive. Rejects with the system's error, or one with code ETIMEDOUT after 10 s. */
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

/** Resolves with the socket at that event. Destroys it, and rejects, on an error, an early end, abort or time-out. */
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
 * Waits for what `start` resolves while the socket lives, at most 10 s. `start` returns its clean-up. On failure the
 * socket is destroyed.
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
      // A socket that is destroyed while it connects may still report an error.
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
