import { install } from '@logtool/helm/src/actions/install.ts';
import { findChart } from '../charts/find-chart.ts';
import { checkOwn, ownChange } from '../charts/own-values.ts';
import { readValues } from '../charts/read-values.ts';
import type { CommandCharts } from '../charts/with-charts.ts';
import type { CliContext } from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { RawArguments } from '../flags/flag.ts';
import { planInstall } from '../plan/cluster/plan-cluster.ts';
import { manifestText } from './manifest-text.ts';
import { onClusterWithCharts } from './open-cluster.ts';
import { releaseText } from './release-text.ts';

/** Installs a release of logtool's chart, or of another one. */
export async function runInstall(
  context: CliContext,
  raw: RawArguments,
  charts: CommandCharts,
): Promise<ExitCode> {
  const plan = await planInstall(context, raw);
  const values = await readValues(context, plan.values);
  const withOwn = ownChange(plan) ?? ((given) => given);
  return onClusterWithCharts(context, plan, charts, async (action, reporter, charts) => {
    const chart = await findChart(context, plan, reporter, charts, true);
    checkOwn(plan, plan.values, chart);
    const release = await install(action, {
      ...plan,
      chart,
      values: withOwn(values ?? new Map()),
    });
    await reporter.end();
    await context.stdout.write(
      plan.dryRun ? manifestText(release, context.stdout.isTTY) : releaseText(release),
    );
    return EXIT.done;
  });
}
