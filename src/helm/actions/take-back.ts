import { LogtoolError } from '../../domain/errors.ts';
import type { ActionContext } from './action.ts';

/** An action failed, and its beginning was taken back, as --atomic asks for. `what` says both. */
export function takenBack(what: string, failure: unknown): LogtoolError {
  return new LogtoolError({
    code: 'release-taken-back',
    what,
    why: reasonOf(failure),
    next: failure instanceof LogtoolError ? failure.next : undefined,
    cause: failure,
  });
}

/**
 * The error where neither the action nor taking it back went well: both reasons, and the command that tries the second
 * one again. An interruption stays one.
 */
export function notTakenBack(
  { signal }: ActionContext,
  what: string,
  failure: unknown,
  second: unknown,
  mend: string,
): unknown {
  if (signal?.aborted) return second;
  return new LogtoolError({
    code: 'release-not-taken-back',
    what: `${what}, and taking it back (--atomic) failed as well`,
    why: `${reasonOf(failure)}\nthen: ${reasonOf(second)}`,
    next: `once the reason is mended: ${mend}`,
    cause: second,
  });
}

/** What failed and why, for another error that tells of it. */
export function reasonOf(failure: unknown): string {
  if (!(failure instanceof LogtoolError)) return failure instanceof Error ? failure.message : String(failure);
  return failure.why === undefined ? failure.what : `${failure.what}\n${failure.why}`;
}
