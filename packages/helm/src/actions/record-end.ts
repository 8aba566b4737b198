import { isKubeError, KubeError } from '@logtool/kube/src/errors.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { helmFailure, type ReleaseAction, type Remedy } from '../failures.ts';
import { describedFailure } from '../release/described-failure.ts';
import type { Release } from '../release/release.ts';
import { type ActionContext, withStatus } from './action.ts';

/** Time limit for writing a record after everything else was aborted. */
const RECORD_MS = 10_000;
/** The same after an interruption: the process exits soon after, whatever still runs. */
const INTERRUPTED_RECORD_MS = 2_500;

/**
 * Returns a signal for writes that must complete, because an aborted request never reports its outcome. It aborts after
 * `limitMs`.
 */
export function uncut(limitMs = RECORD_MS): { readonly signal: AbortSignal } {
  return { signal: AbortSignal.timeout(limitMs) };
}

/** What failed, and the command that repairs the release. */
interface FailedAction {
  readonly action: ReleaseAction;
  readonly remedy: Remedy;
}

/**
 * Records that an action failed, and returns the error to throw: the failure itself, or, if the write fails, an error
 * that the release may still show its previous status, with the command that repairs it.
 */
export async function recordFailure(
  context: ActionContext,
  release: Release,
  error: unknown,
  { action, remedy }: FailedAction,
): Promise<unknown> {
  const aborted = context.signal?.aborted === true;
  const reason = aborted ? 'interrupted' : reasonOf(context, error);
  // The history shows the description on one line.
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

/** Returns the condition under which the repair can succeed. */
function conditionOf(unrecorded: unknown): 'signed-in' | 'fixed' | 'answers' {
  if (isKubeError(unrecorded, 'unauthorized') || isKubeError(unrecorded, 'credentials')) return 'signed-in';
  const isFixed = unrecorded instanceof KubeError && !isKubeError(unrecorded, 'connection');
  return isFixed && !isKubeError(unrecorded, 'server') ? 'fixed' : 'answers';
}

/** Returns e.g. `the upgrade of shop`, for the record of a release. */
export function actionText({ kind, name, revision }: ReleaseAction): string {
  return `the ${kind} of ${name}${revision === undefined ? '' : ` to revision ${revision}`}`;
}

/** Returns the reason for a record, as the cluster reported it, without the cluster's address. */
function reasonOf({ describe }: ActionContext, error: unknown): string {
  const isDescribed = error instanceof CodedError || error instanceof KubeError;
  if (isDescribed && describe !== undefined) return describe(error);
  return error instanceof Error ? error.message : String(error);
}
