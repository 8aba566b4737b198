import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { Backoff } from '@logtool/kube/src/values/retry.ts';

/** Silence after which to check a follow: servers never close idle ones. */
const SILENCE_POLICY = { firstMs: 60_000, maxMs: 300_000, jitter: false };
/** The same for an answer that must begin with known lines, until it does. */
export const UNHEARD_MS = 5_000;
/** Resetting the timer for every chunk would cost more than reading it. */
const REARM_MS = 1_000;

export interface SilenceWatch {
  /** Records that data arrived. */
  heard(): void;
  /** Waits for the consumer of received data. Silence meanwhile is on this side: nothing reads. */
  taking(work: Promise<void>): Promise<void>;
  stop(): void;
}

interface SilenceCheck {
  readonly isStalled: () => Promise<boolean>;
  readonly onStall: () => void;
  /** Whether the answer must begin with known lines: then silence at its beginning is checked soon. */
  readonly repeats: boolean;
}

/** Calls `isStalled` at each long silence, at growing intervals, and calls `onStall` once if it is. */
export function watchSilence(clock: Clock, { isStalled, onStall, repeats }: SilenceCheck): SilenceWatch {
  const silence = new Backoff(SILENCE_POLICY);
  let silenceMs = repeats ? UNHEARD_MS : silence.nextMs();
  let isUnheard = repeats;
  let cancel = () => {};
  let stopped = false;
  let isTaking = false;
  let heardAtMs = clock.steady();
  const arm = () => {
    cancel = clock.after(silenceMs, () => {
      if (isTaking) return arm();
      const askedAtMs = heardAtMs;
      isStalled().then(
        (stalled) => {
          if (stopped) return;
          if (stalled && heardAtMs === askedAtMs) onStall();
          else {
            if (!stalled) silenceMs = silence.nextMs();
            arm();
          }
        },
        // The check fails only when everything is ending.
        () => undefined,
      );
    });
  };
  const heard = () => {
    const now = clock.steady();
    if ((now - heardAtMs < REARM_MS && !isUnheard) || stopped) return;
    isUnheard = false;
    heardAtMs = now;
    silence.reset();
    silenceMs = silence.nextMs();
    cancel();
    arm();
  };
  arm();
  return {
    heard,
    async taking(work) {
      isTaking = true;
      const beganMs = clock.steady();
      try {
        await work;
      } finally {
        isTaking = false;
        // What the other side buffered meanwhile is still to come.
        if (clock.steady() - beganMs >= REARM_MS) heard();
      }
    },

    stop() {
      stopped = true;
      cancel();
    },
  };
}
