import type { KubeClient } from '@logtool/kube/src/client.ts';
import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import { readOwned } from '../apply/ownership.ts';
import { targetKey } from '../apply/target.ts';
import { rightsToApply, rightsToDelete } from '../preflight/check-rights.ts';
import { rightsToGrant } from '../preflight/rights-to-grant.ts';
import type { Release } from '../release/release.ts';
import { type ActionContext, type ExistingOptions, readTypes, timeText, withStatus } from './action.ts';
import { checkBeforehand } from './check-beforehand.ts';
import { checkChart } from './check-chart.ts';
import { madeTargets } from './made-targets.ts';
import { checkNamespace, checkReleaseName, command, noRelease, surplus, wayBack } from './mend.ts';
import { knownTargets, ownTargets } from './prepare.ts';
import { prune } from './prune.ts';
import { uncut } from './record-end.ts';
import { revise } from './revise.ts';

export interface RollbackOptions extends ExistingOptions {
  /** Undefined or 0: the one before the last. */
  readonly revision?: number | undefined;
}

const EVENTS = ['pre-rollback', 'post-rollback'] as const;

/**
 * Makes an older revision the newest one again, as `helm rollback` does: https://helm.sh/docs/helm/helm_rollback/
 * A release that an upgrade left pending is mended by it.
 * @throws LogtoolError `release-not-found`, `other-chart`, `revision-not-found`, and as `upgrade` does.
 */
export async function rollback(context: ActionContext, options: RollbackOptions): Promise<Release> {
  const { name, namespace } = options;
  const { storage } = context;
  checkReleaseName(name);
  checkNamespace(namespace);
  const history = await storage.history(namespace, name, context);
  const last = history.at(-1);
  if (last === undefined) throw noRelease(context.client, { name, namespace });
  checkChart('rollback', last, options.onlyChart);
  const wanted = options.revision || last.version - 1;
  const target = history.find(({ version }) => version === wanted);
  if (target === undefined) throw noRevision(context.client, options, wanted, history);
  const types = await readTypes(context);
  const release: Release = {
    ...target,
    version: last.version + 1,
    applyMethod: 'ssa',
    info: {
      firstDeployed: last.info.firstDeployed,
      lastDeployed: timeText(context.clock),
      description: `Rollback to ${wanted}`,
      status: 'pending-rollback',
      notes: target.info.notes,
    },
  };
  const targets = ownTargets(release, types);
  if (options.dryRun === true) return release;
  storage.checkSize(release);
  const isWanted = new Set(targets.map(targetKey));
  const superfluous = surplus(history, options.historyMax).filter((revision) => revision !== target);
  const look = async () => {
    const old = await madeTargets(context, last, history, types);
    const isOld = new Set(old.map(targetKey));
    const live = await readOwned(context.client, targets, options, {
      signal: context.signal,
      skipsForbidden: options.preflight !== false,
      // An object that the revision brings back may be somebody else's by now; Helm would change it.
      isOld: (one) => isOld.has(targetKey(one)),
    });
    return { old, live };
  };
  const { old, live } = await checkBeforehand(
    context,
    options,
    {
      release,
      types,
      hooks: EVENTS,
      records: ['list', 'create', 'update', ...(superfluous.length > 0 ? ['delete'] : [])],
    },
    look,
    (looked) => {
      const found = looked?.old ?? knownTargets(last, types);
      const isOld = new Set(found.map(targetKey));
      return [
        ...rightsToApply(targets, (one) => isOld.has(targetKey(one)) || looked?.live.get(one) !== undefined),
        ...rightsToGrant(targets, found),
        ...rightsToDelete(found.filter((one) => !isWanted.has(targetKey(one)))),
      ];
    },
  );

  await prune(context, superfluous);
  const revised = await revise(
    context,
    {
      release,
      types,
      before: old,
      wanted: targets,
      live,
      hooks: EVENTS,
      title: `the rollback of ${name} to revision ${wanted}`,
      again: 'upgrade',
      mend: wayBack(context.client, last, target),
      complete: async (changed) => {
        for (const revision of history)
          if (!superfluous.includes(revision) && isCurrent(revision))
            await storage.update(withStatus(revision, 'superseded'), uncut());
        const deployed = withStatus(changed, 'deployed');
        await storage.update(deployed, uncut());
        return deployed;
      },
    },
    options,
  );
  if (revised.state === 'failed') throw revised.failure;
  return revised.release;
}

/** Whether a revision says that it is the one in the cluster, or about to be. */
const isCurrent = ({ info }: Release) => info.status === 'deployed' || info.status.startsWith('pending');

function noRevision(
  client: KubeClient,
  options: RollbackOptions,
  wanted: number,
  history: readonly Release[],
): LogtoolError {
  return new LogtoolError({
    code: 'revision-not-found',
    what: `the release ${options.name} has no revision ${wanted > 0 ? wanted : 'before its first'}`,
    why: `its history has ${history.map(({ version }) => version).join(', ')}`,
    next: `look at what there is with: ${command(client, 'history', options)}`,
  });
}
