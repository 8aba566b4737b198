import type { ResourceType } from '@logtool/kube/src/client.ts';
import { isAbsentObject } from '@logtool/kube/src/errors.ts';
import { remove } from '../apply/converge.ts';
import type { Kept } from '../apply/kept.ts';
import type { Target } from '../apply/target.ts';
import { isGone, type WaitProgress, waitFor } from '../apply/wait.ts';
import { helmFailure } from '../failures.ts';
import { checkHookOwners } from '../hooks/hook-objects.ts';
import { runHooks } from '../hooks/run-hooks.ts';
import { rightsToDelete } from '../preflight/check-rights.ts';
import type { HookEvent, Release } from '../release/release.ts';
import { type ActionContext, type ExistingOptions, readTypes, timeText, withStatus } from './action.ts';
import { checkBeforehand } from './check-beforehand.ts';
import { checkChart } from './check-chart.ts';
import { madeTargets } from './made-targets.ts';
import { knownTargets } from './prepare.ts';
import { prune } from './prune.ts';
import { recordFailure, uncut } from './record-end.ts';
import { checkNamespace, checkReleaseName, noRelease, releaseRef } from './release-state.ts';

export interface UninstallOptions extends ExistingOptions {
  /** Keep the record of the release, with status `uninstalled`. */
  readonly keepHistory: boolean;
}

/** The deleted objects, and the kept ones with the reason; with `dryRun`: the planned ones. */
export interface Uninstalled {
  readonly release: Release;
  readonly deleted: readonly Target[];
  readonly kept: readonly Kept[];
}

/**
 * Uninstalls a release in any state, as `helm uninstall` does: https://helm.sh/docs/helm/helm_uninstall/
 * A repeated call finishes an interrupted one; objects that are already gone are not an error.
 * @throws CodedError `release-not-found`, `other-chart`, `rights-missing`, `not-owned`, and what hooks and waiting
 * throw; KubeError.
 */
export async function uninstall(context: ActionContext, options: UninstallOptions): Promise<Uninstalled> {
  const { name, namespace } = options;
  checkReleaseName(name);
  checkNamespace(namespace);
  const history = await context.storage.history(namespace, name, context);
  const last = history.at(-1);
  if (last === undefined) throw noRelease({ name, namespace });
  checkChart('uninstall', last, options.onlyChart);
  const types = await readTypes(context);
  const isOver = last.info.status === 'uninstalled';
  const removal: Removal = { last, history, types, isOver, hooks: isOver ? [] : EVENTS };
  if (options.dryRun === true) return wouldRemove(context, options, removal);
  const targets = await checkRemoval(context, options, removal);

  const begun = isOver
    ? { release: withDeletion(context, last), deleted: [], kept: [] }
    : await removeObjects(context, options, removal, targets);
  const release = withStatus(begun.release, 'uninstalled', 'Uninstallation complete');
  if (options.keepHistory) await context.storage.update(release, uncut());
  else await forget(context, history, last);
  return { ...begun, release };
}

const EVENTS = ['pre-delete', 'post-delete'] as const;

/** What an uninstallation removes. */
interface Removal {
  readonly last: Release;
  readonly history: readonly Release[];
  readonly types: readonly ResourceType[];
  /** Only the records remain. */
  readonly isOver: boolean;
  readonly hooks: readonly HookEvent[];
}

async function targetsOf(context: ActionContext, removal: Removal): Promise<readonly Target[]> {
  const { isOver, last, history, types } = removal;
  return isOver ? [] : madeTargets(context, last, history, types);
}

async function wouldRemove(
  context: ActionContext,
  owner: UninstallOptions,
  removal: Removal,
): Promise<Uninstalled> {
  const { client, signal } = context;
  const { last, hooks, types } = removal;
  const deleted: Target[] = [];
  const kept: Kept[] = [];
  await checkHookOwners(client, last, hooks, types, { signal });
  await remove(client, await targetsOf(context, removal), owner, {
    signal,
    dryRun: true,
    onDeleted: (target) => deleted.push(target),
    onKept: (one) => kept.push(one),
  });
  return { release: last, deleted, kept };
}

/** Finds the objects to delete, and checks every permission that the deletion needs. */
function checkRemoval(
  context: ActionContext,
  options: UninstallOptions,
  removal: Removal,
): Promise<readonly Target[]> {
  const { last, types, hooks, isOver } = removal;
  const records = ['list', ...(isOver ? [] : ['update']), ...(options.keepHistory ? [] : ['delete'])];
  return checkBeforehand(
    context,
    options,
    { release: last, types, hooks, records },
    () => targetsOf(context, removal),
    (found) => rightsToDelete(found ?? knownTargets(last, types)),
  );
}

/** Runs the first hooks, deletes the objects, waits, and runs the last hooks; records a failure. */
async function removeObjects(
  context: ActionContext,
  options: UninstallOptions,
  { last, types }: Removal,
  targets: readonly Target[],
): Promise<Uninstalled> {
  const { client, storage, signal, onProgress, onHookLog } = context;
  const deleted: Target[] = [];
  const kept: Kept[] = [];
  let current = withDeletion(context, last);
  await begin(context, current, options);
  const onKept = (one: Kept) => {
    kept.push(one);
    onProgress?.({ kind: 'kept', kept: one });
  };
  const onDeleted = (target: Target) => {
    deleted.push(target);
    onProgress?.({ kind: 'deleted', target });
  };
  const run = (event: HookEvent) =>
    runHooks(current, event, {
      client,
      clock: context.clock,
      types,
      timeoutMs: options.timeoutMs,
      signal,
      onKept,
      record: (release) => storage.update(release, { signal }),
      onResult: (release) => {
        current = release;
      },
      onLog: onHookLog,
      onLogFailure: (hook, failure) => onProgress?.({ kind: 'hook-log-unreadable', hook, failure }),
      onHook: (hook) => onProgress?.({ kind: 'hook', hook, event }),
    });
  try {
    signal?.throwIfAborted();
    current = await run('pre-delete');
    await remove(client, targets, options, { signal, onDeleted, onKept });
    const stays = new Set(kept.map(({ target }) => target));
    const leaving = targets.filter((target) => !stays.has(target));
    if (options.wait) await waitUntilGone(context, leaving, options.timeoutMs);
    current = await run('post-delete');
  } catch (error) {
    throw await recordFailure(context, current, error, {
      action: { kind: 'uninstallation', name: options.name },
      remedy: { kind: 'uninstall', release: releaseRef(last) },
    });
  }
  return { release: current, deleted, kept };
}

function withDeletion({ clock }: ActionContext, last: Release): Release {
  const deleted = { ...last, info: { ...last.info, deleted: timeText(clock) } };
  return withStatus(deleted, 'uninstalling', 'Deletion in progress (or silently failed)');
}

function waitUntilGone(
  { client, clock, signal, onProgress }: ActionContext,
  targets: readonly Target[],
  timeoutMs: number,
): Promise<void> {
  const onWait = (progress: WaitProgress) => onProgress?.({ kind: 'waiting', progress });
  return waitFor(client, targets, isGone, { clock, timeoutMs, signal, onProgress: onWait });
}

/** Deletes the records, the newest last: after an interruption, a repeated call still finds what to delete. */
async function forget(context: ActionContext, history: readonly Release[], last: Release): Promise<void> {
  try {
    await prune(context, history);
  } catch (error) {
    if (context.signal?.aborted !== true) throw error;
    const data = {
      stage: 'objects-deleted',
      action: { kind: 'uninstallation', name: last.name },
      remedy: { kind: 'uninstall', release: releaseRef(last) },
    } as const;
    throw helmFailure('release-interrupted', data, { cause: error });
  }
}

/** Records that the uninstallation has begun; another client may have finished one meanwhile. */
async function begin(context: ActionContext, release: Release, options: UninstallOptions): Promise<void> {
  context.signal?.throwIfAborted();
  try {
    await context.storage.update(release, uncut());
  } catch (error) {
    throw isAbsentObject(error) ? noRelease(options) : error;
  }
}
