import type { ResourceType } from '@logtool/kube/src/client.ts';
import { converge } from '../apply/converge.ts';
import type { ImageTrouble } from '../apply/image-trouble.ts';
import { imagesOf } from '../apply/images-of.ts';
import type { Kept } from '../apply/kept.ts';
import type { LiveTargets } from '../apply/ownership.ts';
import type { Target } from '../apply/target.ts';
import { exists, waitFor } from '../apply/wait.ts';
import type { ReleaseAction, Remedy } from '../failures.ts';
import { runHooks } from '../hooks/run-hooks.ts';
import type { HookEvent, Release } from '../release/release.ts';
import type { ActionContext, ChangeOptions } from './action.ts';
import { recordFailure, uncut } from './record-end.ts';
import { releaseRef } from './release-state.ts';

/** A change from one set of objects to the next, with the hooks around it. */
export interface Revision {
  /** The pending revision to record. */
  readonly release: Release;
  readonly types: readonly ResourceType[];
  readonly before: readonly Target[];
  readonly wanted: readonly Target[];
  readonly live: LiveTargets;
  readonly hooks: readonly [before: HookEvent, after: HookEvent];
  readonly action: ReleaseAction;
  /** What repairs the release if this fails. */
  readonly remedy: Remedy;
  /** The action that retries after a failure: `install` if nothing is left of the release. */
  readonly again: 'install' | 'upgrade';
  /** Records the final state after success, and returns it. */
  readonly complete: (changed: Release) => Promise<Release>;
}

/**
 * The outcome of a revision. The reason for a failure is already recorded, or the failure says that recording failed.
 */
export type Revised =
  | { readonly state: 'deployed'; readonly release: Release }
  | { readonly state: 'failed'; readonly failure: unknown };

/**
 * The common part of install, upgrade and rollback: records the revision as pending, changes the objects between the
 * hooks, and records the outcome.
 * @throws any error of recording the pending revision; nothing has changed then.
 */
export async function revise(
  context: ActionContext,
  revision: Revision,
  options: ChangeOptions,
): Promise<Revised> {
  const { storage, signal } = context;
  signal?.throwIfAborted();
  const since = await storage.create(revision.release, uncut());
  let known = revision.release;
  try {
    signal?.throwIfAborted();
    const changed = await change(context, { ...revision, since }, options, (release) => {
      known = release;
    });
    return { state: 'deployed', release: await revision.complete(changed) };
  } catch (error) {
    return { state: 'failed', failure: await recordFailure(context, known, error, revision) };
  }
}

/** `since`: when the revision was recorded, by the cluster's clock. */
type Begun = Revision & { readonly since: string | undefined };

/**
 * Runs the first hooks, applies the objects, waits, and runs the last hooks. Returns the release with the results of
 * its hooks; `onResult` receives each result at once, because only those are known if the rest fails.
 */
async function change(
  { client, clock, storage, signal, onProgress, onHookLog }: ActionContext,
  { release, types, before, wanted, live, since, again, hooks: [first, last] }: Begun,
  { wait, timeoutMs }: ChangeOptions,
  onResult: (release: Release) => void,
): Promise<Release> {
  const retry = { release: releaseRef(release), again };
  const images = {
    onImageTrouble: (trouble: ImageTrouble) => onProgress?.({ kind: 'image-trouble', trouble, retry }),
    retry,
  };
  const onKept = (kept: Kept) => onProgress?.({ kind: 'kept', kept });
  const hooks = (current: Release, event: HookEvent) =>
    runHooks(current, event, {
      client,
      clock,
      types,
      signal,
      timeoutMs,
      record: (changed) => storage.update(changed, { signal }),
      onResult,
      onLog: onHookLog,
      onLogFailure: (hook, failure) => onProgress?.({ kind: 'hook-log-unreadable', hook, failure }),
      onKept,
      onHook: (hook) => onProgress?.({ kind: 'hook', hook, event }),
      ...images,
    });
  const report = (kind: 'applied' | 'deleted') => (target: Target) => onProgress?.({ kind, target });
  const begun = await hooks(release, first);
  onProgress?.({ kind: 'images', images: imagesOf(wanted) });
  await converge(client, before, wanted, live, release, {
    signal,
    onApplied: report('applied'),
    onDeleted: report('deleted'),
    onKept,
  });
  if (wait) {
    await waitFor(client, wanted, exists, {
      clock,
      timeoutMs,
      signal,
      onProgress: (progress) => onProgress?.({ kind: 'waiting', progress }),
      ...images,
      since,
    });
  }
  return hooks(begun, last);
}
