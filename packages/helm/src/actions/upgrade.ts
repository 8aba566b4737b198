import type { ResourceType } from '@logtool/kube/src/client.ts';
import type { Chart } from '../chart/chart.ts';
import { helmFailure } from '../failures.ts';
import { describedFailure } from '../release/described-failure.ts';
import type { Release } from '../release/release.ts';
import type { ValueMap } from '../value/value.ts';
import {
  type ActionContext,
  type ChartActionContext,
  type ExistingOptions,
  readTypes,
  withStatus,
} from './action.ts';
import { checkChange } from './check-change.ts';
import { checkChart } from './check-chart.ts';
import { checkSuccessor, type SuccessorOptions } from './check-successor.ts';
import { type Prepared, prepare } from './prepare.ts';
import { prune } from './prune.ts';
import { uncut } from './record-end.ts';
import {
  cannotGoOn,
  checkNamespace,
  checkReleaseName,
  lastGood,
  noRelease,
  releaseRef,
  surplus,
  wayBack,
} from './release-state.ts';
import { revise } from './revise.ts';
import { goBack } from './take-back.ts';

export interface UpgradeOptions extends ExistingOptions, SuccessorOptions {
  readonly chart: Chart;
  /** Undefined or empty: the values of the previous revision, as in Helm. */
  readonly values: ValueMap | undefined;
  /** Changes the effective values, whether given or taken from the previous revision. */
  readonly change?: ((values: ValueMap) => ValueMap) | undefined;
  /** Use the given values, even if empty, and ignore those of the previous revision. */
  readonly resetValues?: boolean | undefined;
  /** Include the notes of sub-charts. */
  readonly subNotes?: boolean | undefined;
  /** Roll back to the last successful revision if the upgrade fails. */
  readonly atomic: boolean;
}

/** The revisions before and after an upgrade. */
export interface Upgraded {
  readonly before: Release;
  readonly after: Release;
}

const EVENTS = ['pre-upgrade', 'post-upgrade'] as const;

/**
 * Upgrades a release to another chart or other values, as `helm upgrade` does: https://helm.sh/docs/helm/helm_upgrade/
 * @throws CodedError `release-not-found`, `other-chart`, `release-in-progress`, and the errors of `install`.
 */
export async function upgrade(context: ChartActionContext, options: UpgradeOptions): Promise<Upgraded> {
  const { name, namespace, chart } = options;
  checkReleaseName(name);
  checkNamespace(namespace);
  const history = await context.storage.history(namespace, name, context);
  const { last, before } = baseOf(history, options, context);
  checkSuccessor(before, chart, options);
  const types = await readTypes(context);
  const prepared = await prepareUpgrade(context, options, { last, before, types });
  if (options.dryRun)
    return { before, after: withStatus(prepared.release, 'pending-upgrade', 'Dry run complete') };
  context.storage.checkSize(prepared.release);
  const superfluous = surplus(history, options.historyMax);
  const { old, live } = await checkChange(context, options, {
    from: before,
    to: prepared.release,
    targets: prepared.targets,
    history,
    types,
    superfluous,
    hooks: EVENTS,
  });

  await prune(context, superfluous);
  const good = lastGood(history.filter((release) => !superfluous.includes(release)));
  const remedy = wayBack(options, good);
  const revised = await revise(
    context,
    {
      release: prepared.release,
      types,
      before: old,
      wanted: prepared.targets,
      live,
      hooks: EVENTS,
      action: { kind: 'upgrade', name },
      again: 'upgrade',
      remedy,
      complete: (changed) => complete(context, before, changed),
    },
    options,
  );
  if (revised.state === 'deployed') return { before, after: revised.release };
  if (!options.atomic || context.signal?.aborted) throw revised.failure;
  if (good === undefined) {
    const failure = describedFailure(context.client, revised.failure);
    const release = releaseRef(options);
    throw helmFailure('no-good-revision', { release, failure }, { cause: revised.failure });
  }
  throw await goBack(context, options, revised.failure, good, remedy);
}

/** The starting point of an upgrade. */
interface UpgradeBase {
  /** The last revision; the next number follows its number. */
  readonly last: Release;
  /** The revision whose objects are in the cluster. */
  readonly before: Release;
}

function prepareUpgrade(
  context: ChartActionContext,
  options: UpgradeOptions,
  { last, before, types }: UpgradeBase & { readonly types: readonly ResourceType[] },
): Promise<Prepared> {
  const { name, namespace, chart, subNotes } = options;
  return prepare(context, {
    name,
    namespace,
    chart,
    revision: last.version + 1,
    values: nextValues(before, options),
    types,
    isUpgrade: true,
    subNotes,
    firstDeployed: before.info.firstDeployed,
    labels: last.labels,
  });
}

/** Updates in Helm's order: an interruption between the two leaves a pending revision, never two deployed ones. */
async function complete({ storage }: ActionContext, before: Release, changed: Release): Promise<Release> {
  if (before.info.status !== 'superseded') await storage.update(withStatus(before, 'superseded'), uncut());
  const after = withStatus(changed, 'deployed', 'Upgrade complete');
  await storage.update(after, uncut());
  return after;
}

function baseOf(history: readonly Release[], options: UpgradeOptions, context: ActionContext): UpgradeBase {
  const last = history.at(-1);
  if (last === undefined) throw noRelease(options, { canInstall: true });
  checkChart('upgrade', last, options.onlyChart);
  const before = history.findLast(({ info }) => info.status === 'deployed');
  const isOver = last.info.status === 'failed' || last.info.status === 'superseded';
  if (last.info.status === 'deployed' || (isOver && before !== undefined))
    return { last, before: before ?? last };
  if (isOver) return { last, before: last };
  throw cannotGoOn(context, 'upgrade', history, last);
}

/** As in Helm: empty values files count as no values. */
function nextValues(before: Release, options: UpgradeOptions): ValueMap {
  const { values = new Map(), resetValues, change = (taken) => taken } = options;
  return change(values.size > 0 || resetValues === true ? values : before.config);
}
