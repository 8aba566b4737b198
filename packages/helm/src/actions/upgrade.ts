import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import { readOwned } from '../apply/ownership.ts';
import { targetKey } from '../apply/target.ts';
import type { Chart } from '../chart/chart.ts';
import { rightsToApply, rightsToDelete } from '../preflight/check-rights.ts';
import { rightsToGrant } from '../preflight/rights-to-grant.ts';
import type { Release } from '../release/release.ts';
import type { ValueMap } from '../value/value.ts';
import {
  type ActionContext,
  type ChartActionContext,
  type ExistingOptions,
  readTypes,
  withStatus,
} from './action.ts';
import { checkBeforehand } from './check-beforehand.ts';
import { checkChart } from './check-chart.ts';
import { checkSuccessor, type SuccessorOptions } from './check-successor.ts';
import { madeTargets } from './made-targets.ts';
import {
  cannotGoOn,
  checkNamespace,
  checkReleaseName,
  command,
  lastGood,
  noRelease,
  surplus,
  wayBack,
} from './mend.ts';
import { knownTargets, prepare } from './prepare.ts';
import { prune } from './prune.ts';
import { uncut } from './record-end.ts';
import { revise } from './revise.ts';
import { goBack } from './take-back.ts';
import { tellReason } from './tell-reason.ts';

export interface UpgradeOptions extends ExistingOptions, SuccessorOptions {
  readonly chart: Chart;
  /** Undefined or empty: those of the revision before, as Helm does where none are given. */
  readonly values: ValueMap | undefined;
  /** Changes the values, whichever are taken: those given or those of the revision before. */
  readonly change?: ((values: ValueMap) => ValueMap) | undefined;
  /** Take the values that are given, also where there are none, and forget those of before. */
  readonly resetValues?: boolean | undefined;
  /** The notes of sub-charts, too. */
  readonly subNotes?: boolean | undefined;
  /** Go back to the last revision that was good when the upgrade fails. */
  readonly atomic: boolean;
}

/** From which revision, and to which. */
export interface Upgraded {
  readonly before: Release;
  readonly after: Release;
}

const EVENTS = ['pre-upgrade', 'post-upgrade'] as const;

/**
 * Brings a release to another chart or other values, as `helm upgrade` does: https://helm.sh/docs/helm/helm_upgrade/
 * @throws LogtoolError `release-not-found`, `other-chart`, `release-in-progress`, and as `install` does.
 */
export async function upgrade(context: ChartActionContext, options: UpgradeOptions): Promise<Upgraded> {
  const { name, namespace, chart } = options;
  checkReleaseName(name);
  checkNamespace(namespace);
  const history = await context.storage.history(namespace, name, context);
  const { last, before } = baseOf(history, options, context);
  checkSuccessor(before, chart, options);
  const types = await readTypes(context);
  const prepared = await prepare(context, {
    name,
    namespace,
    chart,
    revision: last.version + 1,
    values: nextValues(before, options),
    types,
    isUpgrade: true,
    subNotes: options.subNotes,
    firstDeployed: before.info.firstDeployed,
    labels: last.labels,
  });
  if (options.dryRun)
    return { before, after: withStatus(prepared.release, 'pending-upgrade', 'Dry run complete') };
  context.storage.checkSize(prepared.release);
  const { targets } = prepared;
  const isWanted = new Set(targets.map(targetKey));
  const superfluous = surplus(history, options.historyMax);
  const reading = { signal: context.signal, skipsForbidden: options.preflight !== false };
  const look = async () => {
    const old = await madeTargets(context, before, history, types);
    const isOld = new Set(old.map(targetKey));
    const live = await readOwned(context.client, targets, options, {
      ...reading,
      isOld: (target) => isOld.has(targetKey(target)),
    });
    return { old, isOld, live };
  };
  const { old, live } = await checkBeforehand(
    context,
    options,
    {
      release: prepared.release,
      types,
      hooks: EVENTS,
      records: ['list', 'create', 'update', ...(superfluous.length > 0 ? ['delete'] : [])],
    },
    look,
    (found) => [
      ...rightsToApply(
        targets,
        (target) => found?.isOld.has(targetKey(target)) === true || found?.live.get(target) !== undefined,
      ),
      ...rightsToGrant(targets, found?.old ?? knownTargets(before, types)),
      ...rightsToDelete(
        (found?.old ?? knownTargets(before, types)).filter((target) => !isWanted.has(targetKey(target))),
      ),
    ],
  );

  await prune(context, superfluous);
  const good = lastGood(history.filter((release) => !superfluous.includes(release)));
  const mend = wayBack(context.client, options, good);
  const revised = await revise(
    context,
    {
      ...prepared,
      types,
      before: old,
      wanted: targets,
      live,
      hooks: EVENTS,
      title: `the upgrade of ${name}`,
      again: 'upgrade',
      mend,
      complete: async (changed) => {
        // The order of Helm: a cut between the two leaves a pending revision, never two deployed ones.
        if (before.info.status !== 'superseded')
          await context.storage.update(withStatus(before, 'superseded'), uncut());
        const after = withStatus(changed, 'deployed', 'Upgrade complete');
        await context.storage.update(after, uncut());
        return after;
      },
    },
    options,
  );
  if (revised.state === 'deployed') return { before, after: revised.release };
  if (!options.atomic || context.signal?.aborted) throw revised.failure;
  if (good === undefined) throw nowhereToGo(context, options, revised.failure);
  throw await goBack(context, options, revised.failure, good, mend);
}

/** The last revision, which numbers the next, and the one whose objects are in the cluster. */
function baseOf(history: readonly Release[], options: UpgradeOptions, context: ActionContext) {
  const last = history.at(-1);
  if (last === undefined) throw noRelease(context.client, options, { canInstall: true });
  checkChart('upgrade', last, options.onlyChart);
  const before = history.findLast(({ info }) => info.status === 'deployed');
  const isOver = last.info.status === 'failed' || last.info.status === 'superseded';
  if (last.info.status === 'deployed' || (isOver && before !== undefined))
    return { last, before: before ?? last };
  if (isOver) return { last, before: last };
  throw cannotGoOn(context, 'upgraded', history, last);
}

/** As Helm has it: empty files of values say as little as none. */
function nextValues(before: Release, options: UpgradeOptions): ValueMap {
  const { values = new Map(), resetValues, change = (taken) => taken } = options;
  return change(values.size > 0 || resetValues === true ? values : before.config);
}

function nowhereToGo({ client }: ActionContext, options: UpgradeOptions, failure: unknown): LogtoolError {
  return new LogtoolError({
    code: 'no-good-revision',
    what: `the upgrade of ${options.name} failed, and no revision before it went well: it stays as it is (--atomic)`,
    why: tellReason(client, failure),
    next: `fix what failed and upgrade again; or uninstall the release with: ${command(client, 'uninstall', options)}`,
    cause: failure,
  });
}
