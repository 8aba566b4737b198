import type { ContainerFrame } from '../../../domain/frame.ts';
import { waitText } from '../../../messages/container-report.ts';
import type { CliError } from '../../messages/cli-error.ts';
import { commandFailure } from '../../messages/errors.ts';
import { targetText } from '../../messages/target-text.ts';

/** A container that has not started. */
export type WaitingFrame = Extract<ContainerFrame, { readonly state: 'waiting' }>;

/** Number of containers to name; the others only count. */
const MAX_NAMED = 5;

/** Nothing was readable; this is one of the unreadable containers. */
export function waitingError({ target, reason }: WaitingFrame): CliError {
  const { namespace, pod, container } = target;
  return commandFailure('container-waiting', { namespace, pod, container, reason });
}

/** Reports containers without a log, if others have one. */
export function waitingLines(frames: readonly WaitingFrame[]): readonly string[] {
  const lines = frames
    .slice(0, MAX_NAMED)
    .map(
      ({ target, reason }) =>
        `~ ${targetText(target)} has not started${reason === '' ? '' : `: ${waitText(reason)}`}`,
    );
  if (frames.length > MAX_NAMED) lines.push(`~ ${frames.length - MAX_NAMED} more have not started`);
  return lines;
}

/** Reports unreadable runs before a restart, if others were readable. */
export function removedLines(texts: readonly string[]): readonly string[] {
  const lines = texts.slice(0, MAX_NAMED).map((text) => `~ ${text}`);
  if (texts.length > MAX_NAMED) lines.push(`~ the same for ${texts.length - MAX_NAMED} more`);
  return lines;
}

/** For `--previous` if no container ever restarted. */
export function noPreviousError(): CliError {
  return commandFailure('no-previous', {});
}
