import { upgrade } from '@logtool/helm/src/actions/upgrade.ts';
import { chartText } from '@logtool/helm/src/release/chart-text.ts';
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

/** Brings a release to the newest chart known here, or to other values. */
export async function runUpgrade(
  context: CliContext,
  raw: RawArguments,
  charts: CommandCharts,
): Promise<ExitCode> {
  const plan = await planCluster(context, raw);
  const values = await readValues(context, plan.values);
  return onClusterWithCharts(context, plan, charts, async (action, reporter, charts) => {
    const chart = await findChart(context, plan, reporter, charts, false);
    checkImage(plan.image, plan.values, chart);
    const { before, after } = await upgrade(action, {
      ...plan,
      namespace: plan.namespace ?? '',
      chart,
      values,
      change: imageChange(plan.image),
      sameChart: plan.chart === undefined,
      neverOlder: plan.chart === undefined && plan.chartVersion === undefined,
    });
    await reporter.end();
    const change = `${chartText(before)} (revision ${before.version}) -> ${chartText(after)} (revision ${after.version})\n`;
    await context.stdout.write(
      plan.dryRun ? manifestText(after, context.stdout.isTTY) : `${change}\n${releaseText(after)}`,
    );
    return EXIT.done;
  });
}
