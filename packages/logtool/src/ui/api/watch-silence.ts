import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { ApiError } from '../../contract/client.ts';
import { pageError } from '../messages/page.ts';

/**
 * The server sends a heartbeat every 15 s: a connection silent for this long is dead, even if the system reports it
 * open.
 */
export const SILENCE_MS = 40_000;

export interface SilenceWatch {
  /** Restarts the wait after data arrives. */
  heard(): void;
  /** Ends the wait. */
  end(): void;
}

/** Calls back once if nothing arrives for too long. */
export function watchSilence(clock: Clock, onSilence: () => void): SilenceWatch {
  let end = clock.after(SILENCE_MS, onSilence);
  return {
    heard() {
      end();
      end = clock.after(SILENCE_MS, onSilence);
    },
    end: () => end(),
  };
}

/** The error of a connection that ended before the answer did. */
export function brokenOff(): ApiError {
  return new ApiError(0, pageError('page-cut', {}));
}

/**
 * Yields what a stream yields, until it ends. Throws `brokenOff` if nothing arrives for too long, and what the stream
 * throws.
 */
export async function* untilSilent<T>(
  open: (signal: AbortSignal) => AsyncIterable<T>,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): AsyncGenerator<T, void, undefined> {
  const dead = new AbortController();
  const silence = watchSilence(clock, () => dead.abort());
  try {
    for await (const frames of open(AbortSignal.any([signal, dead.signal]))) {
      silence.heard();
      yield frames;
    }
  } catch (error) {
    throw dead.signal.aborted && !signal.aborted ? brokenOff() : error;
  } finally {
    silence.end();
  }
}
