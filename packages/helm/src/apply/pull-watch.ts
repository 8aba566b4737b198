import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import { type ImageTrouble, imageProblem, patienceMs } from './image-trouble.ts';

export interface PullWatchOptions {
  readonly clock: Clock;
  /** Told at the first refusal of an image that may still come: a line each. */
  readonly onWarning?: ((lines: readonly string[]) => void) | undefined;
  /** What to do about an image that does not come. */
  readonly adviseImage?: ((trouble: ImageTrouble) => string) | undefined;
}

/** Notes images that do not come while something is waited for. */
export interface PullWatch {
  /**
   * Takes what is in trouble now.
   * @throws LogtoolError `image-unavailable` once waiting for one of them no longer helps
   */
  note(troubles: readonly ImageTrouble[]): void;
  /** The error for a wait whose time is up; undefined: no image is in trouble. */
  readonly failure: LogtoolError | undefined;
}

/**
 * The kubelet tries again and again: a registry that is out of reach for a moment is no failure, and is reported at
 * once; an image that does not exist, or that may not be pulled, ends the wait at the first refusal.
 */
export function createPullWatch({ clock, onWarning, adviseImage = adviseAny }: PullWatchOptions): PullWatch {
  const since = new Map<string, number>();
  const warned = new Set<string>();
  let last: ImageTrouble | undefined;
  const warn = (key: string, lines: readonly string[]) => {
    if (!warned.has(key)) onWarning?.(lines);
    warned.add(key);
  };
  return {
    note(troubles) {
      const now = clock.steady();
      const open = new Set(troubles.map(({ image }) => image));
      for (const image of since.keys()) if (!open.has(image)) since.delete(image);
      last = troubles.find(({ isOld }) => !isOld) ?? troubles[0];
      for (const trouble of troubles) {
        if (trouble.isOld) {
          warn(trouble.pod, oldLines(trouble));
          continue;
        }
        const first = since.get(trouble.image) ?? now;
        since.set(trouble.image, first);
        if (now - first >= patienceMs(trouble)) throw unavailable(trouble, adviseImage);
        warn(trouble.image, [
          `warning: ${imageProblem(trouble)}: ${trouble.cause}; the kubelet tries again`,
          ...adviseImage(trouble)
            .split('\n')
            .map((line, index) => (index === 0 ? `  next: ${line}` : `        ${line}`)),
        ]);
      }
    },
    get failure() {
      return last === undefined ? undefined : unavailable(last, adviseImage);
    },
  };
}

function oldLines({ who, image, pod, namespace }: ImageTrouble): readonly string[] {
  return [
    `warning: ${who} was refused its image ${image} before this command; the kubelet tries again within 5 minutes`,
    `  next: to have it try now: kubectl delete pod ${pod}${namespace === undefined ? '' : ` -n ${namespace}`}`,
  ];
}

function unavailable(trouble: ImageTrouble, advise: (trouble: ImageTrouble) => string): LogtoolError {
  return new LogtoolError({
    code: 'image-unavailable',
    what: imageProblem(trouble),
    why: `${trouble.who}: ${trouble.reason}: ${trouble.cause}`,
    next: advise(trouble),
  });
}

function adviseAny({ pod, namespace }: ImageTrouble): string {
  return `check the name of the image, and that the nodes may pull it (imagePullSecrets): kubectl describe pod ${pod}${namespace === undefined ? '' : ` -n ${namespace}`}`;
}
