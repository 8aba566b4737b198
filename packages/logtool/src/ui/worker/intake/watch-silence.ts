import type { Clock } from '@logtool/kube/src/values/clock.ts';

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
