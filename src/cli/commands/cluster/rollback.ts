import { rollback } from '../../../helm/actions/rollback.ts';
import type { CliContext } from '../../context.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import type { RawArguments } from '../../flags/flag.ts';
import { planCluster } from '../../plan/cluster-plan.ts';
import { onCluster } from './open-cluster.ts';

/** Makes an older revision the newest one. */
export async function clusterRollback(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  const plan = await planCluster(context, raw);
  return onCluster(context, plan, async (action, reporter) => {
    const release = await rollback(action, { ...plan, namespace: plan.namespace ?? '' });
    await reporter.end();
    await context.stdout.write(
      `${release.info.description}: the release ${release.name} in the namespace ${release.namespace} is at revision ${release.version}\n`,
    );
    return EXIT.done;
  });
}
