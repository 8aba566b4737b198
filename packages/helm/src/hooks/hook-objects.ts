import type { KubeClient, KubeObject, RequestOptions, ResourceType } from '@logtool/kube/src/client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { deleteTarget } from '../apply/delete-target.ts';
import { KEPT_AS_REPLACED, type Kept } from '../apply/kept.ts';
import { byObject, type Owner, otherRelease, readLive } from '../apply/ownership.ts';
import { readManifest } from '../apply/read-manifest.ts';
import { findType, resolveTargets, type Target, targetText } from '../apply/target.ts';
import { isGone, type WaitOptions, waitFor } from '../apply/wait.ts';
import { helmFailure, type OtherRelease } from '../failures.ts';
import type { Hook, HookDeletePolicy, HookEvent, Release } from '../release/release.ts';

/*
 * Helm does not mark the objects of hooks with their release, so the owner of an unmarked one is unknown: like Helm,
 * treat it as the hook's. Never change or delete one that names another release.
 */

export interface HookObjectOptions extends WaitOptions {
  readonly client: KubeClient;
  /** Called for an object that stays although a delete policy selects it. */
  readonly onKept?: ((kept: Kept) => void) | undefined;
}

/** A hook with its objects. */
export interface HookTargets {
  readonly hook: Hook;
  readonly targets: readonly Target[];
}

/**
 * Checks before an action that no hook of these events uses an object of another release. Skips objects that it cannot
 * read: the hook checks them again before it runs.
 * @throws CodedError `not-owned`, naming each such object and its release.
 */
export async function checkHookOwners(
  client: KubeClient,
  release: Release,
  events: readonly HookEvent[],
  types: readonly ResourceType[],
  options: RequestOptions,
): Promise<void> {
  const taken: Taken[] = [];
  for (const hook of release.hooks.filter((one) => one.events.some((event) => events.includes(event)))) {
    const objects = readManifest(hook.manifest).filter((object) => findType(types, object) !== undefined);
    for (const target of resolveTargets(objects, types, release.namespace)) {
      const live = await readIfPossible(client, target, options);
      const other = live && otherRelease(live, release);
      if (other !== undefined) taken.push({ hook, target, other });
    }
  }
  if (taken.length > 0) throw notOwned(taken, true);
}

/** Reads a live object; also returns undefined if the cluster does not serve the kind yet, or denies the read. */
async function readIfPossible(
  client: KubeClient,
  target: Target,
  options: RequestOptions,
): Promise<KubeObject | undefined> {
  try {
    return await readLive(client, target, options);
  } catch (error) {
    if (isKubeError(error, 'forbidden') || isKubeError(error, 'not-found')) return undefined;
    throw error;
  }
}

/**
 * Makes room for the objects of a hook that is about to run: deletes those that its policy `before-hook-creation`
 * selects.
 * @throws CodedError `not-owned`, before any deletion, if one of them belongs to another release.
 */
export async function makeRoom(
  { hook, targets }: HookTargets,
  owner: Owner,
  options: HookObjectOptions,
): Promise<void> {
  const found: { readonly target: Target; readonly live: KubeObject }[] = [];
  const taken: Taken[] = [];
  for (const target of targets) {
    const live = await readLive(options.client, target, options);
    if (live === undefined) continue;
    const other = otherRelease(live, owner);
    if (other === undefined) found.push({ target, live });
    else taken.push({ hook, target, other });
  }
  if (taken.length > 0) throw notOwned(taken, false);
  if (!isRemovedBy(hook, 'before-hook-creation')) return;
  const deleted: Target[] = [];
  for (const { target, live } of found) {
    const deletion = await deleteTarget(options.client, target, live, options);
    if (deletion === 'replaced') throw replaced(hook, target);
    if (deletion === 'deleted') deleted.push(target);
    else deletion satisfies 'absent';
  }
  await waitFor(options.client, deleted, isGone, options);
}

/** Deletes the objects of a hook that has run, by its policies. Keeps objects that another release took meanwhile. */
export async function removeByPolicy(
  { hook, targets }: HookTargets,
  policy: HookDeletePolicy,
  owner: Owner,
  options: HookObjectOptions,
): Promise<void> {
  if (!isRemovedBy(hook, policy)) return;
  const deleted: Target[] = [];
  for (const target of targets) {
    const live = await readLive(options.client, target, options);
    if (live === undefined) continue;
    const other = otherRelease(live, owner);
    if (other !== undefined) {
      options.onKept?.({ target, why: { by: 'other-release', owner: other } });
      continue;
    }
    const deletion = await deleteTarget(options.client, target, live, options);
    if (deletion === 'replaced') options.onKept?.({ target, why: KEPT_AS_REPLACED });
    if (deletion === 'deleted') deleted.push(target);
  }
  await waitFor(options.client, deleted, isGone, options);
}

/**
 * Whether a policy deletes the hook's objects. Never a CustomResourceDefinition: its deletion would delete all its
 * objects.
 */
export function isRemovedBy({ deletePolicies, kind }: Hook, policy: HookDeletePolicy): boolean {
  return deletePolicies.includes(policy) && kind !== 'CustomResourceDefinition';
}

/** An object that a hook would use, and the release that owns it. */
interface Taken {
  readonly hook: Hook;
  readonly target: Target;
  readonly other: OtherRelease;
}

/** `isChecked`: found before the first change. */
function notOwned(taken: readonly Taken[], isChecked: boolean): CodedError {
  const objects = taken.map(({ hook: { name, path, events }, target, other }) => ({
    object: targetText(target),
    owner: other,
    hook: { name, path, events },
  }));
  return helmFailure('not-owned', { of: 'hooks', objects: objects.sort(byObject), isChecked });
}

function replaced({ name, path }: Hook, target: Target): CodedError {
  return helmFailure('not-owned', {
    of: 'replaced-hook',
    object: targetText(target),
    hook: { name, path },
  });
}
