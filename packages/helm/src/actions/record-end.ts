import { isKubeError, KubeError } from '@logtool/kube/src/errors.ts';
import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import type { Release } from '../release/release.ts';
import { type ActionContext, withStatus } from './action.ts';
import { tellReason } from './tell-reason.ts';

/** How long a word on a release may take that is written although everything else was aborted. */
const WORD_MS = 10_000;
/** The same behind an interruption: the process ends a little later, whatever is going on. */
const INTERRUPTED_WORD_MS = 2_500;

/**
 * For what must not be half said: whoever interrupts a request never learns what became of it. It ends by itself.
 */
export function uncut(limitMs = WORD_MS): { readonly signal: AbortSignal } {
  return { signal: AbortSignal.timeout(limitMs) };
}

/**
 * Records that an action failed, and gives the error to throw: the failure itself, or, where the record could not be
 * written, that the release may still say what it said before, and which command mends it.
 */
export async function recordFailure(
  context: ActionContext,
  release: Release,
  what: string,
  error: unknown,
  mend: string,
): Promise<unknown> {
  const aborted = context.signal?.aborted === true;
  const reason = aborted ? 'interrupted' : reasonOf(error);
  // A row of a history has one line.
  const failed = withStatus(release, 'failed', `${what} failed: ${reason.replaceAll('\n', '; ')}`);
  try {
    await context.storage.update(failed, uncut(aborted ? INTERRUPTED_WORD_MS : WORD_MS));
    return aborted ? interrupted(what, release, mend, error) : error;
  } catch (unrecorded) {
    const { client } = context;
    const reasons = new Set([aborted ? reason : tellReason(client, error), tellReason(client, unrecorded)]);
    return new LogtoolError({
      code: 'release-unrecorded',
      what: `${what} failed, and that could not be recorded: the release may still say ${release.info.status}`,
      why: [...reasons].join('\n'),
      next: `${onceMended(unrecorded)}: ${mend}`,
      cause: error,
    });
  }
}

function interrupted(what: string, release: Release, mend: string, cause: unknown): LogtoolError {
  return new LogtoolError({
    code: 'release-interrupted',
    what: `${what} was interrupted`,
    why: `revision ${release.version} is recorded as failed, with all that was done until then`,
    next: `continue with: ${mend}`,
    cause,
  });
}

/** When the command that mends the release has a chance. */
function onceMended(unrecorded: unknown): string {
  if (isKubeError(unrecorded, 'unauthorized') || isKubeError(unrecorded, 'credentials'))
    return 'log in again, then';
  const isMended = unrecorded instanceof KubeError && !isKubeError(unrecorded, 'connection');
  return isMended && !isKubeError(unrecorded, 'server')
    ? 'once the cause is fixed'
    : 'once the cluster answers again';
}

/** For a record: in the words of the cluster, without its address. */
function reasonOf(error: unknown): string {
  if (error instanceof LogtoolError)
    return error.why === undefined ? error.what : `${error.what}: ${error.why}`;
  return error instanceof Error ? error.message : String(error);
}
