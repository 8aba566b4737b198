import type { ResourceType } from '@logtool/kube/src/client.ts';
import { type LiveTargets, readOwned } from '../apply/ownership.ts';
import { type Target, targetKey } from '../apply/target.ts';
import { type Right, rightsToApply, rightsToDelete } from '../preflight/check-rights.ts';
import { rightsToGrant } from '../preflight/rights-to-grant.ts';
import type { HookEvent, Release } from '../release/release.ts';
import type { ActionContext, ExistingOptions } from './action.ts';
import { checkBeforehand } from './check-beforehand.ts';
import { madeTargets } from './made-targets.ts';
import { knownTargets } from './prepare.ts';

/** A change from the objects of one revision to those of another, for upgrades and rollbacks. */
export interface ObjectChange {
  /** The revision whose objects are in the cluster. */
  readonly from: Release;
  readonly to: Release;
  /** The objects of `to`. */
  readonly targets: readonly Target[];
  readonly history: readonly Release[];
  readonly types: readonly ResourceType[];
  readonly hooks: readonly HookEvent[];
  /** The revisions whose records are deleted to make room. */
  readonly superfluous: readonly Release[];
}

export interface InspectedChange {
  /** The objects of the release that exist in the cluster. */
  readonly old: readonly Target[];
  readonly live: LiveTargets;
}

/**
 * Inspects the objects of a change, and checks every permission that it needs.
 * @throws CodedError as `checkBeforehand` and `readOwned` do
 */
export function checkChange(
  context: ActionContext,
  options: ExistingOptions,
  change: ObjectChange,
): Promise<InspectedChange> {
  const { to, types, hooks, superfluous } = change;
  const records = ['list', 'create', 'update', ...(superfluous.length > 0 ? ['delete'] : [])];
  return checkBeforehand(
    context,
    options,
    { release: to, types, hooks, records, applied: change.targets },
    () => inspectChange(context, options, change),
    (found) => rightsToChange(change, found),
  );
}

async function inspectChange(
  context: ActionContext,
  options: ExistingOptions,
  { from, history, types, targets }: ObjectChange,
): Promise<InspectedChange> {
  const old = await madeTargets(context, from, history, types);
  const isOld = new Set(old.map(targetKey));
  const live = await readOwned(context.client, targets, options, {
    signal: context.signal,
    skipsForbidden: options.preflight !== false,
    // By now, an object that a revision restores may belong to another owner; Helm would change it.
    isOld: (target) => isOld.has(targetKey(target)),
  });
  return { old, live };
}

function rightsToChange(
  { from, types, targets }: ObjectChange,
  found: InspectedChange | undefined,
): readonly Right[] {
  const old = found?.old ?? knownTargets(from, types);
  const isOld = new Set(old.map(targetKey));
  const isWanted = new Set(targets.map(targetKey));
  return [
    ...rightsToApply(
      targets,
      (target) => isOld.has(targetKey(target)) || found?.live.get(target) !== undefined,
    ),
    ...rightsToGrant(targets, old),
    ...rightsToDelete(old.filter((target) => !isWanted.has(targetKey(target)))),
  ];
}
