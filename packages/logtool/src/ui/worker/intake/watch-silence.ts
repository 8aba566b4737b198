import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { ApiError } from '../../../contract/client.ts';
import { pageError } from '../../messages/page.ts';

/** The server sends a heartbeat every 15 s: a connection this silent is dead, whatever the system believes. */
export const SILENCE_MS = 40_000;

export interface SilenceWatch {
  /** Something came: restarts the wait. */
  heard(): void;
  /** Nothing is waited for any more. */
  end(): void;
}

/** Calls back once when nothing came for too long. */
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

/** The connection ended before the answer did. */
export function brokenOff(): ApiError {
  return new ApiError(0, pageError('page-cut', {}));
}

/** What a stream gives, until it ends. Throws `brokenOff` if nothing came for too long, and what the stream throws. */
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
