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
    const { name, namespace, version, info } = release;
    await context.stdout.write(
      `the release ${name} in the namespace ${namespace} is at revision ${version}: ${info.description}\n`,
    );
    return EXIT.done;
  });
}
