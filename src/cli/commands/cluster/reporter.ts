import type { Progress } from '../../../helm/actions/action.ts';
import { targetText } from '../../../helm/apply/target.ts';
import type { OutputStream } from '../../context.ts';
import { createSay } from '../../output/say.ts';
import { StatusLine } from '../../output/status-line.ts';

/** Tells on standard error what an action does: a line a step, and what it waits for in a line that is written over. */
export interface Reporter {
  readonly onProgress: (progress: Progress) => void;
  line(text: string): void;
  /** A line that is waited for, so that many of them are not held. */
  readonly onHookLog: (line: string) => Promise<void>;
  /** Resolves when everything has been written. */
  end(): Promise<void>;
}

/** `stderr` writes through `status`. */
export function createReporter(stderr: OutputStream, status = new StatusLine(stderr)): Reporter {
  const say = createSay(stderr, status);
  // In order, whatever they take: the action does not wait for the terminal.
  let written: Promise<void> = Promise.resolve();
  const then = (write: () => Promise<void>) => {
    written = written.then(write, write);
  };
  let waiting = '';
  return {
    line: (text) => then(() => say.line(text)),
    async onHookLog(line) {
      then(() => say.line(line));
      await written.catch(() => undefined);
    },
    onProgress(progress) {
      if (progress.kind !== 'waiting') {
        then(() => say.line(stepText(progress)));
        return;
      }
      const { wanted, done, total, pending } = progress.progress;
      const text =
        pending.length === 0
          ? `${total} of ${total} ${wanted}`
          : `${done} of ${total} ${wanted}; ${pending[0]}`;
      if (text === waiting) return;
      waiting = text;
      // Where nothing can be written over, each change of what is waited for is a line.
      then(() => (status.isOn ? say.progress(text) : say.line(text)));
    },
    async end() {
      then(() => status.close());
      // A closed standard error is no failure of the action.
      await written.catch(() => undefined);
    },
  };
}

function stepText(progress: Exclude<Progress, { readonly kind: 'waiting' }>): string {
  switch (progress.kind) {
    case 'created-namespace':
      return `made the namespace ${progress.name}`;
    case 'applied':
      return `applied ${targetText(progress.target)}`;
    case 'deleted':
      return `deleted ${targetText(progress.target)}`;
    case 'kept':
      return `kept ${targetText(progress.target)}, as its resource policy says`;
    case 'hook':
      return `running the ${progress.event} hook ${progress.hook.name}`;
  }
}
