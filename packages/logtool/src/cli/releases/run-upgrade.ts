import { upgrade } from '@logtool/helm/src/actions/upgrade.ts';
import { chartText } from '@logtool/helm/src/release/chart-text.ts';
import { findChart } from '../charts/find-chart.ts';
import { checkOwn, ownChange } from '../charts/own-values.ts';
import { readValues } from '../charts/read-values.ts';
import type { CommandCharts } from '../charts/with-charts.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { RawArguments } from '../flags/flag.ts';
import { planUpgrade } from '../plan/cluster/plan-cluster.ts';
import { manifestText } from './manifest-text.ts';
import { onClusterWithCharts } from './open-cluster.ts';
import { releaseText } from './release-text.ts';

/** Upgrades a release to the newest known chart, or to other values. */
export async function runUpgrade(
  context: CliContext,
  raw: RawArguments,
  charts: CommandCharts,
): Promise<ExitCode> {
  const plan = await planUpgrade(context, raw);
  const values = await readValues(context, plan.values);
  return onClusterWithCharts(context, plan, charts, async (action, reporter, charts) => {
    const chart = await findChart(context, plan, reporter, charts, false);
    checkOwn(plan, plan.values, chart);
    const { before, after } = await upgrade(action, {
      ...plan,
      chart,
      values,
      change: ownChange(plan),
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
