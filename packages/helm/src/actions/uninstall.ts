import { isAbsentObject } from '@logtool/kube/src/errors.ts';
import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import { remove } from '../apply/converge.ts';
import type { Kept } from '../apply/kept.ts';
import type { Target } from '../apply/target.ts';
import { isGone, waitFor } from '../apply/wait.ts';
import { checkHookOwners } from '../hooks/hook-objects.ts';
import { runHooks } from '../hooks/run-hooks.ts';
import { rightsToDelete } from '../preflight/check-rights.ts';
import type { HookEvent, Release } from '../release/release.ts';
import { type ActionContext, type ExistingOptions, readTypes, timeText, withStatus } from './action.ts';
import { checkBeforehand } from './check-beforehand.ts';
import { checkChart } from './check-chart.ts';
import { madeTargets } from './made-targets.ts';
import { checkNamespace, checkReleaseName, command, noRelease } from './mend.ts';
import { knownTargets } from './prepare.ts';
import { prune } from './prune.ts';
import { recordFailure, uncut } from './record-end.ts';

export interface UninstallOptions extends ExistingOptions {
  /** Keep the record of the release, as uninstalled. */
  readonly keepHistory: boolean;
}

/** What was taken away, and what was left, with the reason; with `dryRun`: what would be. */
export interface Uninstalled {
  readonly release: Release;
  readonly deleted: readonly Target[];
  readonly kept: readonly Kept[];
}

/**
 * Takes a release away, in whatever state it is, as `helm uninstall` does: https://helm.sh/docs/helm/helm_uninstall/
 * What was cut off before is finished by another run: what is gone already is no failure.
 * @throws LogtoolError `release-not-found`, `other-chart`, `rights-missing`, `not-owned`, and what hooks and waiting throw; KubeError.
 */
export async function uninstall(context: ActionContext, options: UninstallOptions): Promise<Uninstalled> {
  const { name, namespace, timeoutMs } = options;
  const { client, clock, storage, signal, onProgress, onHookLog } = context;
  checkReleaseName(name);
  checkNamespace(namespace);
  const history = await storage.history(namespace, name, context);
  const last = history.at(-1);
  if (last === undefined) throw noRelease(client, { name, namespace });
  checkChart('uninstall', last, options.onlyChart);
  const types = await readTypes(context);
  const isOver = last.info.status === 'uninstalled';
  const made = async () => (isOver ? [] : madeTargets(context, last, history, types));
  const deleted: Target[] = [];
  const kept: Kept[] = [];
  const events: readonly HookEvent[] = isOver ? [] : ['pre-delete', 'post-delete'];
  if (options.dryRun === true) {
    await checkHookOwners(client, last, events, types, { signal });
    await remove(
      client,
      await made(),
      { name, namespace },
      {
        signal,
        dryRun: true,
        onDeleted: (target) => deleted.push(target),
        onKept: (one) => kept.push(one),
      },
    );
    return { release: last, deleted, kept };
  }
  const targets = await checkBeforehand(
    context,
    options,
    {
      release: last,
      types,
      hooks: events,
      records: ['list', ...(isOver ? [] : ['update']), ...(options.keepHistory ? [] : ['delete'])],
    },
    made,
    (found) => rightsToDelete(found ?? knownTargets(last, types)),
  );

  let current: Release = withStatus(
    { ...last, info: { ...last.info, deleted: timeText(clock) } },
    'uninstalling',
    'Deletion in progress (or silently failed)',
  );
  const onKept = (one: Kept) => {
    kept.push(one);
    onProgress?.({ kind: 'kept', kept: one });
  };
  const hooks = (event: HookEvent) =>
    runHooks(current, event, {
      client,
      clock,
      types,
      timeoutMs,
      signal,
      record: (release) => storage.update(release, { signal }),
      onResult: (release) => {
        current = release;
      },
      onLog: onHookLog,
      onKept,
      onHook: (hook) => onProgress?.({ kind: 'hook', hook, event }),
    });
  if (!isOver) {
    await begin(context, current, options);
    try {
      signal?.throwIfAborted();
      current = await hooks('pre-delete');
      await remove(
        client,
        targets,
        { name, namespace },
        {
          signal,
          onDeleted: (target) => {
            deleted.push(target);
            onProgress?.({ kind: 'deleted', target });
          },
          onKept,
        },
      );
      if (options.wait) {
        const stays = new Set(kept.map(({ target }) => target));
        const leaving = targets.filter((target) => !stays.has(target));
        await waitFor(client, leaving, isGone, {
          clock,
          timeoutMs,
          signal,
          onProgress: (progress) => onProgress?.({ kind: 'waiting', progress }),
        });
      }
      current = await hooks('post-delete');
    } catch (error) {
      const mend = command(client, 'uninstall', last);
      throw await recordFailure(context, current, `the uninstallation of ${name}`, error, mend);
    }
  }

  current = withStatus(current, 'uninstalled', 'Uninstallation complete');
  if (options.keepHistory) await storage.update(current, uncut());
  else await forget(context, history, last);
  return { release: current, deleted, kept };
}

/** Deletes the records. The newest goes last: after a cut, another run still finds what there was to take away. */
async function forget(context: ActionContext, history: readonly Release[], last: Release): Promise<void> {
  try {
    await prune(context, history);
  } catch (error) {
    if (context.signal?.aborted !== true) throw error;
    throw new LogtoolError({
      code: 'release-interrupted',
      what: `the uninstallation of ${last.name} was interrupted`,
      why: 'its objects are taken away already, its record is still there',
      next: `continue with: ${command(context.client, 'uninstall', last)}`,
      cause: error,
    });
  }
}

/** Says of a release that it is being taken away; somebody else may have finished that meanwhile. */
async function begin(context: ActionContext, release: Release, options: UninstallOptions): Promise<void> {
  context.signal?.throwIfAborted();
  try {
    await context.storage.update(release, uncut());
  } catch (error) {
    throw isAbsentObject(error) ? noRelease(context.client, options) : error;
  }
}
