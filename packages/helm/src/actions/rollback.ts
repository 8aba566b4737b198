import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { helmFailure } from '../failures.ts';
import type { Release } from '../release/release.ts';
import { type ActionContext, type ExistingOptions, readTypes, timeText, withStatus } from './action.ts';
import { checkChange } from './check-change.ts';
import { checkChart } from './check-chart.ts';
import { ownTargets } from './prepare.ts';
import { prune } from './prune.ts';
import { uncut } from './record-end.ts';
import {
  checkNamespace,
  checkReleaseName,
  noRelease,
  releaseRef,
  surplus,
  wayBack,
} from './release-state.ts';
import { revise } from './revise.ts';

export interface RollbackOptions extends ExistingOptions {
  /** Undefined or 0: the second to last revision. */
  readonly revision?: number | undefined;
}

const EVENTS = ['pre-rollback', 'post-rollback'] as const;

/**
 * Makes an older revision the newest one again, as `helm rollback` does: https://helm.sh/docs/helm/helm_rollback/
 * It also repairs a release that an upgrade left pending.
 * @throws CodedError `release-not-found`, `other-chart`, `revision-not-found`, and the errors of `upgrade`.
 */
export async function rollback(context: ActionContext, options: RollbackOptions): Promise<Release> {
  const { name, namespace } = options;
  const { storage } = context;
  checkReleaseName(name);
  checkNamespace(namespace);
  const history = await storage.history(namespace, name, context);
  const last = history.at(-1);
  if (last === undefined) throw noRelease({ name, namespace });
  checkChart('rollback', last, options.onlyChart);
  const wanted = options.revision || last.version - 1;
  const target = history.find(({ version }) => version === wanted);
  if (target === undefined) throw noRevision(options, wanted, history);
  const types = await readTypes(context);
  const release = restored(context, target, last);
  const targets = ownTargets(release, types);
  if (options.dryRun === true) return release;
  storage.checkSize(release);
  const superfluous = surplus(history, options.historyMax).filter((revision) => revision !== target);
  const { old, live } = await checkChange(context, options, {
    from: last,
    to: release,
    targets,
    history,
    types,
    superfluous,
    hooks: EVENTS,
  });

  await prune(context, superfluous);
  const kept = history.filter((revision) => !superfluous.includes(revision));
  const revised = await revise(
    context,
    {
      release,
      types,
      before: old,
      wanted: targets,
      live,
      hooks: EVENTS,
      action: { kind: 'rollback', name, revision: wanted },
      again: 'upgrade',
      remedy: wayBack(last, target),
      complete: (changed) => complete(context, kept, changed),
    },
    options,
  );
  if (revised.state === 'failed') throw revised.failure;
  return revised.release;
}

/** Returns a pending revision with the content of `target`. */
function restored({ clock }: ActionContext, target: Release, last: Release): Release {
  return {
    ...target,
    version: last.version + 1,
    applyMethod: 'ssa',
    info: {
      firstDeployed: last.info.firstDeployed,
      lastDeployed: timeText(clock),
      description: `Rollback to ${target.version}`,
      status: 'pending-rollback',
      notes: target.info.notes,
    },
  };
}

async function complete(
  { storage }: ActionContext,
  older: readonly Release[],
  changed: Release,
): Promise<Release> {
  for (const revision of older.filter(isCurrent))
    await storage.update(withStatus(revision, 'superseded'), uncut());
  const deployed = withStatus(changed, 'deployed');
  await storage.update(deployed, uncut());
  return deployed;
}

/** Whether the status of a revision says that its objects are, or will be, in the cluster. */
const isCurrent = ({ info }: Release) => info.status === 'deployed' || info.status.startsWith('pending');

function noRevision(options: RollbackOptions, wanted: number, history: readonly Release[]): CodedError {
  const known = history.map(({ version }) => version);
  const release = releaseRef({ name: options.name, namespace: options.namespace });
  return helmFailure('revision-not-found', { release, wanted, known });
}
