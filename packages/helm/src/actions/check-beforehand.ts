import { CONFIG_MAPS, SECRETS } from '@logtool/kube/src/builtin-resources.ts';
import type { ResourceType } from '@logtool/kube/src/client.ts';
import { isKubeError } from '@logtool/kube/src/errors.ts';
import { readManifest } from '../apply/read-manifest.ts';
import { resolveTargets, type Target } from '../apply/target.ts';
import { checkHookOwners } from '../hooks/hook-objects.ts';
import { checkPodSecurity } from '../preflight/check-pod-security.ts';
import { checkRights, type Right, rightsToRecord, rightsToRun } from '../preflight/check-rights.ts';
import { rightsToGrant } from '../preflight/rights-to-grant.ts';
import type { HookEvent, Release } from '../release/release.ts';
import type { ActionContext, ChangeOptions } from './action.ts';

/** What an action is about to do apart from applying or deleting objects. */
export interface Intent {
  readonly release: Release;
  readonly types: readonly ResourceType[];
  readonly hooks: readonly HookEvent[];
  /** The objects that it applies. */
  readonly applied?: readonly Target[];
  /** The verbs that the action uses on release records: list, create, update, delete. */
  readonly records: readonly string[];
}

/**
 * Inspects the objects of an action and checks all permissions for it, unless that is skipped. If inspecting
 * is forbidden too, the error lists every missing permission, not only that one.
 * @throws CodedError `rights-missing`, `pod-security`, `not-owned` if a hook would replace an object of another release, and
 * any error of the inspection.
 */
export async function checkBeforehand<Live>(
  context: ActionContext,
  options: ChangeOptions & { readonly namespace: string },
  intent: Intent,
  inspect: () => Promise<Live>,
  rightsOf: (live: Live | undefined) => readonly Right[],
): Promise<Live> {
  const ask = async (live: Live | undefined) => {
    if (options.preflight === false) return;
    await checkRights(
      context.client,
      [...rightsOf(live), ...rightsAround(context, options, intent)],
      context,
    );
    await checkPodSecurity(context.client, intent.applied ?? [], context);
  };
  let live: Live;
  try {
    live = await inspect();
    const { release, types, hooks } = intent;
    // Also check the delete hooks: never create a release that could not be uninstalled.
    const events = hooks.length === 0 ? [] : ([...hooks, 'pre-delete', 'post-delete'] as const);
    await checkHookOwners(context.client, release, events, types, context);
  } catch (error) {
    if (isKubeError(error, 'forbidden')) await ask(undefined);
    throw error;
  }
  await ask(live);
  return live;
}

function rightsAround(
  { storage }: ActionContext,
  { namespace }: { readonly namespace: string },
  { release, types, hooks, records }: Intent,
): readonly Right[] {
  const due = release.hooks.filter(({ events }) => events.some((event) => hooks.includes(event)));
  const targets = new Map(
    due.map((hook) => [hook, resolveTargets(readManifest(hook.manifest), types, namespace)]),
  );
  return [
    ...rightsToRecord(storage.driver === 'secret' ? SECRETS : CONFIG_MAPS, namespace, records),
    ...rightsToRun(due, (hook) => targets.get(hook) ?? []),
    ...rightsToGrant([...targets.values()].flat()),
  ];
}
