import { isKubeError, KubeError } from '@logtool/kube/src/errors.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { helmFailure, type ReleaseAction, type Remedy } from '../failures.ts';
import { describedFailure } from '../release/described-failure.ts';
import type { Release } from '../release/release.ts';
import { type ActionContext, withStatus } from './action.ts';

/** How long writing a record may take although everything else was aborted. */
const RECORD_MS = 10_000;
/** The same after an interruption: the process ends a little later, whatever is going on. */
const INTERRUPTED_RECORD_MS = 2_500;

/** For writes that must complete: an interrupted request never reports its outcome. It ends by itself. */
export function uncut(limitMs = RECORD_MS): { readonly signal: AbortSignal } {
  return { signal: AbortSignal.timeout(limitMs) };
}

/** What failed, and what brings the release into a known state again. */
interface FailedAction {
  readonly action: ReleaseAction;
  readonly remedy: Remedy;
}

/**
 * Records that an action failed, and returns the error to throw: the failure itself, or, if the record cannot
 * be written, that the release may still show its previous status, and the command that repairs it.
 */
export async function recordFailure(
  context: ActionContext,
  release: Release,
  error: unknown,
  { action, remedy }: FailedAction,
): Promise<unknown> {
  const aborted = context.signal?.aborted === true;
  const reason = aborted ? 'interrupted' : reasonOf(context, error);
  // A row of a history has one line.
  const failed = withStatus(
    release,
    'failed',
    `${actionText(action)} failed: ${reason.replaceAll('\n', '; ')}`,
  );
  try {
    await context.storage.update(failed, uncut(aborted ? INTERRUPTED_RECORD_MS : RECORD_MS));
  } catch (unrecorded) {
    const { client } = context;
    const data = {
      action,
      status: release.info.status,
      failure: aborted ? undefined : describedFailure(client, error),
      unrecorded: describedFailure(client, unrecorded),
      remedy,
      once: conditionOf(unrecorded),
    };
    return helmFailure('release-unrecorded', data, { cause: error });
  }
  if (!aborted) return error;
  const data = { stage: 'recorded', action, revision: release.version, remedy } as const;
  return helmFailure('release-interrupted', data, { cause: error });
}

/** When what repairs the release has a chance. */
function conditionOf(unrecorded: unknown): 'signed-in' | 'fixed' | 'answers' {
  if (isKubeError(unrecorded, 'unauthorized') || isKubeError(unrecorded, 'credentials')) return 'signed-in';
  const isFixed = unrecorded instanceof KubeError && !isKubeError(unrecorded, 'connection');
  return isFixed && !isKubeError(unrecorded, 'server') ? 'fixed' : 'answers';
}

/** `the upgrade of shop`, as the record of a release has it. */
export function actionText({ kind, name, revision }: ReleaseAction): string {
  return `the ${kind} of ${name}${revision === undefined ? '' : ` to revision ${revision}`}`;
}

/** For a record: in the words of the cluster, without its address. */
function reasonOf({ describe }: ActionContext, error: unknown): string {
  const isDescribed = error instanceof CodedError || error instanceof KubeError;
  if (isDescribed && describe !== undefined) return describe(error);
  return error instanceof Error ? error.message : String(error);
}
