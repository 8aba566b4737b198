import type { Progress } from '@logtool/helm/src/actions/action.ts';
import type { WantedImage } from '@logtool/helm/src/apply/images-of.ts';
import { targetText } from '@logtool/helm/src/apply/target.ts';
import { registryOf } from '@logtool/kube/src/values/image-reference.ts';
import { whyOf } from '@logtool/kube/src/values/problems.ts';
import { whyText } from '../../messages/problems.ts';
import type { OutputStream } from '../context.ts';
import { imageTroubleLines } from '../messages/helm/images.ts';
import { pendingText } from '../messages/helm/obstacles.ts';
import { keptText } from '../messages/helm/releases.ts';
import { createNotifier } from '../output/notices/notifier.ts';
import { StatusLine } from '../output/progress/status-line.ts';

/**
 * Reports on standard error what an action does: one line per step, and an overwritten line for the current
 * wait.
 */
export interface Reporter {
  readonly onProgress: (progress: Progress) => void;
  line(text: string): void;
  /** Shows the current step until there is something else to show; only on a terminal. */
  progress(text: string): void;
  /** Prints a line and waits for the write, so that lines do not accumulate. */
  readonly onHookLog: (line: string) => Promise<void>;
  /** Resolves when everything is written. */
  end(): Promise<void>;
}

/** `stderr` writes through `status`; `clusterFlags` make a command reach the same cluster. */
export function createReporter(
  stderr: OutputStream,
  status = new StatusLine(stderr),
  clusterFlags = '',
): Reporter {
  const notifier = createNotifier(stderr, status);
  // Writes are in order; the action does not wait for the terminal.
  let written: Promise<void> = Promise.resolve();
  const then = (write: () => Promise<void>) => {
    written = written.then(write, write);
  };
  let waiting = '';
  return {
    line: (text) => then(() => notifier.line(text)),
    progress: (text) => then(() => notifier.progress(text)),
    async onHookLog(line) {
      then(() => notifier.line(line));
      await written.catch(() => undefined);
    },

    onProgress(progress) {
      if (progress.kind !== 'waiting') {
        for (const text of stepLines(progress, clusterFlags)) then(() => notifier.line(text));
        return;
      }
      const { wanted, done, total, pending } = progress.progress;
      const [first] = pending;
      const text =
        first === undefined
          ? `${total} of ${total} ${wanted}`
          : `${done} of ${total} ${wanted}; ${pendingText(first)}`;
      if (text === waiting) return;
      waiting = text;
      // If no line can be overwritten, prints a line for each change of the wait.
      then(() => (status.isOn ? notifier.progress(text) : notifier.line(text)));
    },

    async end() {
      then(() => status.close());
      // A closed standard error is not a failure of the action.
      await written.catch(() => undefined);
    },
  };
}

/** For charts with more images, the rest are only counted. */
const MAX_IMAGES = 5;

type Step = Exclude<Progress, { readonly kind: 'waiting' }>;

function stepLines(progress: Step, clusterFlags: string): readonly string[] {
  if (progress.kind === 'image-trouble')
    return imageTroubleLines(progress.trouble, progress.retry, clusterFlags);
  if (progress.kind !== 'images') return [stepText(progress)];
  const { images } = progress;
  const rest = images.length - MAX_IMAGES;
  return [
    ...images.slice(0, MAX_IMAGES).map(imageText),
    ...(rest > 0 ? [`${rest} more image${rest === 1 ? '' : 's'}`] : []),
  ];
}

/** Describes where an image comes from. */
function imageText({ image, pullPolicy }: WantedImage): string {
  const from = registryOf(image);
  if (from === undefined) return `image: ${image}`;
  if (pullPolicy === 'Never') return `image: ${image}, which each node must have (pull policy Never)`;
  const unless = pullPolicy === 'Always' ? '' : ' unless they have it';
  return `image: ${image}, which the nodes pull from ${from}${unless}`;
}

function stepText(progress: Exclude<Step, { readonly kind: 'image-trouble' | 'images' }>): string {
  switch (progress.kind) {
    case 'created-namespace':
      return `made the namespace ${progress.name}`;
    case 'applied':
      return `applied ${targetText(progress.target)}`;
    case 'deleted':
      return `deleted ${targetText(progress.target)}`;
    case 'kept':
      return `kept ${keptText(progress.kept)}`;
    case 'hook':
      return `running the ${progress.event} hook ${progress.hook.name}`;
    case 'hook-log-unreadable':
      return `logtool cannot read the log of the hook ${progress.hook.name}: ${whyText(whyOf(progress.failure))}`;
  }
}
