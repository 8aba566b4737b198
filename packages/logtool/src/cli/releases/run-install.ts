import { install } from '@logtool/helm/src/actions/install.ts';
import type { CliContext } from '../../context.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import type { RawArguments } from '../../flags/flag.ts';
import { planCluster } from '../../plan/cluster-plan.ts';
import { findChart } from './find-chart.ts';
import { checkImage, imageChange } from './image-values.ts';
import { manifestText } from './manifest-text.ts';
import { onClusterWithCharts } from './open-cluster.ts';
import { readValues } from './read-values.ts';
import { releaseText } from './release-text.ts';
import type { CommandCharts } from './with-charts.ts';

/** Makes a release out of logtool's chart, or of another one. */
export async function runInstall(
  context: CliContext,
  raw: RawArguments,
  charts: CommandCharts,
): Promise<ExitCode> {
  const plan = await planCluster(context, raw);
  const values = await readValues(context, plan.values);
  const withImage = imageChange(plan.image) ?? ((given) => given);
  return onClusterWithCharts(context, plan, charts, async (action, reporter, charts) => {
    const chart = await findChart(context, plan, reporter, charts, true);
    checkImage(plan.image, plan.values, chart);
    const release = await install(action, {
      ...plan,
      namespace: plan.namespace ?? '',
      chart,
      values: withImage(values ?? new Map()),
    });
    await reporter.end();
    await context.stdout.write(
      plan.dryRun ? manifestText(release, context.stdout.isTTY) : releaseText(release),
    );
    return EXIT.done;
  });
}
