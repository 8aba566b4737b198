import type { Kept } from '../apply/kept.ts';
import { readLive } from '../apply/ownership.ts';
import { targetText } from '../apply/target.ts';
import type { Chart } from '../chart/chart.ts';
import { helmFailure, type Leftover, type ReleaseAction, type Remedy } from '../failures.ts';
import { describedFailure } from '../release/described-failure.ts';
import type { Release } from '../release/release.ts';
import type { ActionContext, ChangeOptions } from './action.ts';
import { releaseRef } from './release-state.ts';
import { rollback } from './rollback.ts';
import { uninstall } from './uninstall.ts';

interface TakeBackOptions extends ChangeOptions {
  readonly name: string;
  readonly namespace: string;
  readonly chart: Chart;
}

/**
 * Removes what a failed installation created, as `atomic` promises, and returns the error to throw, which names what
 * remains. `made`: objects that an uninstallation leaves.
 */
export async function takeAway(
  context: ActionContext,
  options: TakeBackOptions,
  failure: unknown,
  made: readonly Leftover[],
): Promise<unknown> {
  const { client } = context;
  const action: ReleaseAction = { kind: 'installation', name: options.name };
  const { watched, kept } = noteKept(context);
  try {
    await uninstall(watched, { ...changeOnly(options), keepHistory: false });
  } catch (second) {
    return notTakenBack(context, action, failure, second, {
      kind: 'uninstall',
      release: releaseRef(options),
    });
  }
  const data = { action, failure: describedFailure(client, failure) };
  const left = [...(await leftovers(context, kept)), ...made];
  return helmFailure('release-taken-back', { ...data, left }, { cause: failure });
}

/** Like `takeAway`, for an upgrade: rolls back to the last successful revision. `remedy` repeats the rollback. */
export async function goBack(
  context: ActionContext,
  options: TakeBackOptions,
  failure: unknown,
  good: Release,
  remedy: Remedy,
): Promise<unknown> {
  const action: ReleaseAction = { kind: 'upgrade', name: options.name };
  const { watched, kept } = noteKept(context);
  try {
    const back = await rollback(watched, { ...changeOnly(options), revision: good.version });
    const revision = { made: back.version, like: good.version };
    const left = await leftovers(context, kept);
    const data = { action, failure: describedFailure(context.client, failure), revision, left };
    return helmFailure('release-taken-back', data, { cause: failure });
  } catch (second) {
    return notTakenBack(context, action, failure, second, remedy);
  }
}

/** Drops the chart limits: an action may always undo its own changes. */
function changeOnly({ name, namespace, wait, timeoutMs, preflight, historyMax }: TakeBackOptions) {
  return { name, namespace, wait, timeoutMs, preflight, historyMax };
}

/** Wraps a context to collect the objects that an action keeps. */
function noteKept(context: ActionContext) {
  const kept: Kept[] = [];
  const watched: ActionContext = {
    ...context,
    onProgress(progress) {
      if (progress.kind === 'kept') kept.push(progress.kept);
      context.onProgress?.(progress);
    },
  };
  return { watched, kept };
}

/** Returns the kept objects that exist: an installation may fail before it creates them. */
async function leftovers({ client }: ActionContext, kept: readonly Kept[]): Promise<readonly Leftover[]> {
  const found = await Promise.all(
    kept.map(async ({ target, why }): Promise<readonly Leftover[]> => {
      // If the read fails, assume that the object exists rather than forget it.
      const exists = await readLive(client, target, {}).then(
        (live) => live !== undefined,
        () => true,
      );
      return exists ? [{ kind: 'object', object: targetText(target), why }] : [];
    }),
  );
  return found.flat();
}

/**
 * Returns the error if both the action and its undoing failed: both reasons, and what retries the undoing. An
 * interruption stays an interruption.
 */
function notTakenBack(
  { client, signal }: ActionContext,
  action: ReleaseAction,
  failure: unknown,
  second: unknown,
  remedy: Remedy,
): unknown {
  if (signal?.aborted) return second;
  const data = {
    action,
    failure: describedFailure(client, failure),
    second: describedFailure(client, second),
    remedy,
  };
  return helmFailure('release-not-taken-back', data, { cause: second });
}
