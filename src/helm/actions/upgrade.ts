import { CONFIG_MAPS, SECRETS } from '../../kube/builtin-resources.ts';
import { readOwned } from '../apply/ownership.ts';
import { targetKey } from '../apply/target.ts';
import type { Chart } from '../chart/chart.ts';
import { checkRights, rightsToApply, rightsToDelete, rightsToRecord } from '../preflight/check-rights.ts';
import type { Release } from '../release/release.ts';
import type { ValueMap } from '../value/value.ts';
import { type ActionContext, type ChangeOptions, readTypes, withStatus } from './action.ts';
import { cannotGoOn, command, noRelease, surplus } from './mend.ts';
import { knownTargets, prepare } from './prepare.ts';
import { recordFailure } from './record-end.ts';
import { revise } from './revise.ts';
import { rollback } from './rollback.ts';
import { notTakenBack, takenBack } from './take-back.ts';

export interface UpgradeOptions extends ChangeOptions {
  readonly name: string;
  readonly namespace: string;
  readonly chart: Chart;
  /** Undefined: those of the revision before, as Helm does where none are given. */
  readonly values: ValueMap | undefined;
  /** Go back to the last revision that was good when the upgrade fails. */
  readonly atomic: boolean;
  readonly dryRun: boolean;
}

/** From which revision, and to which. */
export interface Upgraded {
  readonly before: Release;
  readonly after: Release;
}

/**
 * Brings a release to another chart or other values, as `helm upgrade` does: https://helm.sh/docs/helm/helm_upgrade/
 * @throws LogtoolError `release-not-found`, `release-in-progress`, and as `install` does.
 */
export async function upgrade(context: ActionContext, options: UpgradeOptions): Promise<Upgraded> {
  const { name, namespace, chart } = options;
  const history = await context.storage.history(namespace, name, context);
  const { last, before } = baseOf(history, options, context);
  const types = await readTypes(context);
  const prepared = await prepare(context, {
    name,
    namespace,
    chart,
    revision: last.version + 1,
    values: options.values ?? before.config,
    types,
    isUpgrade: true,
    firstDeployed: before.info.firstDeployed,
    labels: last.labels,
  });
  if (options.dryRun)
    return { before, after: withStatus(prepared.release, 'pending-upgrade', 'Dry run complete') };
  const old = knownTargets(before, types);
  const isOld = new Set(old.map(targetKey));
  const added = prepared.targets.filter((target) => !isOld.has(targetKey(target)));
  const live = await readOwned(context.client, added, options, {
    signal: context.signal,
    skipsForbidden: options.preflight !== false,
  });
  context.storage.checkSize(prepared.release);
  if (options.preflight !== false) {
    const isWanted = new Set(prepared.targets.map(targetKey));
    await checkRights(
      context.client,
      [
        ...rightsToRecord(context.storage.driver === 'secret' ? SECRETS : CONFIG_MAPS, namespace),
        ...rightsToApply(prepared.targets, (target) => isOld.has(targetKey(target)) || live.has(target)),
        ...rightsToDelete(old.filter((target) => !isWanted.has(targetKey(target)))),
      ],
      context,
    );
  }

  for (const release of surplus(history, options.historyMax)) await context.storage.delete(release, context);
  await context.storage.create(prepared.release, context);
  try {
    const revision = { ...prepared, types, before: old, wanted: prepared.targets, live };
    const changed = await revise(context, { ...revision, hooks: ['pre-upgrade', 'post-upgrade'] }, options);
    // The order of Helm: a cut between the two leaves a pending revision, never two deployed ones.
    if (before.info.status !== 'superseded')
      await context.storage.update(withStatus(before, 'superseded'), context);
    const after = withStatus(changed, 'deployed', 'Upgrade complete');
    await context.storage.update(after, context);
    return { before, after };
  } catch (error) {
    const mend = command('rollback', options);
    const failure = await recordFailure(context, prepared.release, `the upgrade of ${name}`, error, mend);
    if (!options.atomic || context.signal?.aborted) throw failure;
    const what = `the upgrade of ${name} failed`;
    const goBack = { ...options, revision: before.version };
    const back = await rollback(context, goBack).catch((error: unknown) => {
      throw notTakenBack(context, what, failure, error, `${mend} --revision ${before.version}`);
    });
    throw takenBack(
      `${what}; revision ${back.version} is what revision ${before.version} was (--atomic)`,
      failure,
    );
  }
}

/** The last revision, which numbers the next, and the one whose objects are in the cluster. */
function baseOf(history: readonly Release[], options: UpgradeOptions, context: ActionContext) {
  const last = history.at(-1);
  if (last === undefined) throw noRelease(options.name, options.namespace);
  const before = history.findLast(({ info }) => info.status === 'deployed');
  const isOver = last.info.status === 'failed' || last.info.status === 'superseded';
  if (last.info.status === 'deployed' || (isOver && before !== undefined))
    return { last, before: before ?? last };
  if (isOver) return { last, before: last };
  throw cannotGoOn('upgraded', last, context.clock);
}
