import { uninstall } from '../../../helm/actions/uninstall.ts';
import { targetText } from '../../../helm/apply/target.ts';
import type { CliContext } from '../../context.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import type { RawArguments } from '../../flags/flag.ts';
import { sanitizeLines } from '../../output/text-table.ts';
import { planCluster } from '../../plan/cluster-plan.ts';
import { onCluster } from './open-cluster.ts';

/** Removes a release. */
export async function clusterUninstall(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  const plan = await planCluster(context, raw);
  return onCluster(context, plan, async (action, reporter) => {
    const { release, kept } = await uninstall(action, { ...plan, namespace: plan.namespace ?? '' });
    await reporter.end();
    const left = kept.map((target) => `  ${targetText(target)}\n`).join('');
    const text = `the release ${release.name} in the namespace ${release.namespace} is uninstalled\n${left === '' ? '' : `left in the cluster, as their resource policy says:\n${left}`}`;
    // The names are those of a manifest that lay in the cluster.
    await context.stdout.write(sanitizeLines(text));
    return EXIT.done;
  });
}
