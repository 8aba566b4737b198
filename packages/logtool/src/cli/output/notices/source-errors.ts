import type { SourceFrame } from '../../../domain/frame.ts';
import { waitText } from '../../../messages/source-state.ts';
import type { CliError } from '../../messages/cli-error.ts';
import { commandFailure } from '../../messages/errors.ts';
import { targetText } from '../../messages/target-text.ts';

/** A container that has not started. */
export type WaitingFrame = Extract<SourceFrame, { readonly state: 'waiting' }>;

/** Containers that are named one by one; beyond this only their number appears. */
const MAX_NAMED = 5;

/** Nothing could be read, and this is a container that could not. */
export function waitingError({ target, reason }: WaitingFrame): CliError {
  const { namespace, pod, container } = target;
  return commandFailure('container-waiting', { namespace, pod, container, reason });
}

/** Containers without a log beside others that have one. */
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

/** Runs before a restart that could not be read, beside others that could. */
export function removedLines(texts: readonly string[]): readonly string[] {
  const lines = texts.slice(0, MAX_NAMED).map((text) => `~ ${text}`);
  if (texts.length > MAX_NAMED) lines.push(`~ and so of ${texts.length - MAX_NAMED} more`);
  return lines;
}

/** `--previous` if no container was ever restarted. */
export function noPreviousError(): CliError {
  return commandFailure('no-previous', {});
}
