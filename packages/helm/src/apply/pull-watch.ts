import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { helmFailure, type ImageRetry } from '../failures.ts';
import { type ImageTrouble, patienceMs } from './image-trouble.ts';

export interface PullWatchOptions {
  readonly clock: Clock;
  /** Called at the first refusal of an image that may still become available. */
  readonly onImageTrouble?: ((trouble: ImageTrouble) => void) | undefined;
  /** The action that retries with another image, if one does. */
  readonly retry?: ImageRetry | undefined;
}

/** Tracks images that are unavailable during a wait. */
export interface PullWatch {
  /**
   * Records the current image troubles.
   * @throws CodedError `image-unavailable` once waiting for one of them no longer helps
   */
  note(troubles: readonly ImageTrouble[]): void;
  /** The error for a wait that timed out; undefined if no image is in trouble. */
  readonly failure: CodedError | undefined;
}

/**
 * Creates a tracker of image pulls. The kubelet keeps retrying, so the tracker reports a briefly unreachable registry
 * at once, but not as a failure; an image that does not exist or that the registry denies ends the wait at the first
 * refusal.
 */
export function createPullWatch({ clock, onImageTrouble, retry }: PullWatchOptions): PullWatch {
  const since = new Map<string, number>();
  const reported = new Set<string>();
  let last: ImageTrouble | undefined;
  const report = (key: string, trouble: ImageTrouble) => {
    if (!reported.has(key)) onImageTrouble?.(trouble);
    reported.add(key);
  };
  return {
    note(troubles) {
      const now = clock.steady();
      const open = new Set(troubles.map(({ image }) => image));
      for (const image of since.keys()) if (!open.has(image)) since.delete(image);
      last = troubles.find(({ isOld }) => !isOld) ?? troubles[0];
      for (const trouble of troubles) {
        if (trouble.isOld) {
          report(trouble.pod, trouble);
          continue;
        }
        const first = since.get(trouble.image) ?? now;
        since.set(trouble.image, first);
        if (now - first >= patienceMs(trouble)) throw unavailable(trouble, retry);
        report(trouble.image, trouble);
      }
    },

    get failure() {
      return last === undefined ? undefined : unavailable(last, retry);
    },
  };
}

function unavailable(trouble: ImageTrouble, retry: ImageRetry | undefined): CodedError {
  return helmFailure('image-unavailable', { trouble, retry });
}
