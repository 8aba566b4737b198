import { rollback } from '@logtool/helm/src/actions/rollback.ts';
import type { Release } from '@logtool/helm/src/release/release.ts';
import type { CliContext } from '../../context.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import type { RawArguments } from '../../flags/flag.ts';
import { planRollback } from '../../plan/cluster/plan-cluster.ts';
import { manifestText } from '../../releases/manifest-text.ts';
import { onCluster } from '../../releases/open-cluster.ts';

/** Rolls a release back to an earlier revision. */
export async function clusterRollback(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  const plan = await planRollback(context, raw);
  return onCluster(context, plan, async (action, reporter) => {
    const release = await rollback(action, plan);
    if (plan.dryRun) {
      reporter.line(dryRunText(release));
      await reporter.end();
      await context.stdout.write(manifestText(release, context.stdout.isTTY));
      return EXIT.done;
    }
    await reporter.end();
    const { name, namespace, version, info } = release;
    await context.stdout.write(
      `the release ${name} in the namespace ${namespace} is at revision ${version}: ${info.description}\n`,
    );
    return EXIT.done;
  });
}

function dryRunText({ name, namespace, version, info }: Release): string {
  return `would make this revision ${version} of the release ${name} in the namespace ${namespace}: ${info.description}`;
}
