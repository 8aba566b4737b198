import { LogtoolError } from '../../domain/errors.ts';
import { CONFIG_MAPS, SECRETS } from '../../kube/builtin-resources.ts';
import { targetKey } from '../apply/target.ts';
import { checkRights, rightsToApply, rightsToDelete, rightsToRecord } from '../preflight/check-rights.ts';
import type { Release } from '../release/release.ts';
import { type ActionContext, type ChangeOptions, readTypes, timeText, withStatus } from './action.ts';
import { command, noRelease, surplus } from './mend.ts';
import { knownTargets, ownTargets } from './prepare.ts';
import { recordFailure } from './record-end.ts';
import { revise } from './revise.ts';

export interface RollbackOptions extends ChangeOptions {
  readonly name: string;
  readonly namespace: string;
  /** Undefined or 0: the one before the last. */
  readonly revision?: number | undefined;
}

/**
 * Makes an older revision the newest one again, as `helm rollback` does: https://helm.sh/docs/helm/helm_rollback/
 * A release that an upgrade left pending is mended by it.
 * @throws LogtoolError `release-not-found`, `revision-not-found`, and as `upgrade` does.
 */
export async function rollback(context: ActionContext, options: RollbackOptions): Promise<Release> {
  const { name, namespace } = options;
  const { storage } = context;
  const history = await storage.history(namespace, name, context);
  const last = history.at(-1);
  if (last === undefined) throw noRelease(name, namespace);
  const wanted = options.revision || last.version - 1;
  const target = history.find(({ version }) => version === wanted);
  if (target === undefined) throw noRevision(options, wanted, history);
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
  const old = knownTargets(last, types);
  storage.checkSize(release);
  if (options.preflight !== false) {
    const isOld = new Set(old.map(targetKey));
    const isWanted = new Set(targets.map(targetKey));
    await checkRights(
      context.client,
      [
        ...rightsToRecord(storage.driver === 'secret' ? SECRETS : CONFIG_MAPS, namespace),
        ...rightsToApply(targets, (one) => isOld.has(targetKey(one))),
        ...rightsToDelete(old.filter((one) => !isWanted.has(targetKey(one)))),
      ],
      context,
    );
  }

  for (const revision of surplus(history, options.historyMax))
    if (revision !== target) await storage.delete(revision, context);
  await storage.create(release, context);
  try {
    const changed = await revise(
      context,
      {
        release,
        types,
        before: old,
        wanted: targets,
        live: new Map(),
        hooks: ['pre-rollback', 'post-rollback'],
      },
      options,
    );
    for (const revision of history)
      if (revision.info.status === 'deployed' || revision.info.status.startsWith('pending'))
        await storage.update(withStatus(revision, 'superseded'), context);
    const deployed = withStatus(changed, 'deployed');
    await storage.update(deployed, context);
    return deployed;
  } catch (error) {
    const mend = `${command('rollback', options)} --revision ${wanted}`;
    throw await recordFailure(context, release, `the rollback of ${name} to revision ${wanted}`, error, mend);
  }
}

function noRevision(options: RollbackOptions, wanted: number, history: readonly Release[]): LogtoolError {
  return new LogtoolError({
    code: 'revision-not-found',
    what: `the release ${options.name} has no revision ${wanted}`,
    why: `there ${history.length === 1 ? 'is' : 'are'} ${history.map(({ version }) => version).join(', ')}`,
    next: `look at them with: ${command('history', options)}`,
  });
}
