import { LogtoolError } from '../../../domain/errors.ts';
import type { Chart } from '../../../helm/chart/chart.ts';
import { loadChart } from '../../../helm/chart/load-chart.ts';
import { expandPath } from '../../config-file/locate.ts';
import type { CliContext } from '../../context.ts';
import type { ClusterPlan } from '../../plan/cluster-plan.ts';
import { findInPackage } from '../find-in-package.ts';
import type { Reporter } from './reporter.ts';

/** The chart that was asked for: that of --chart, else the one that comes with the program. */
export async function findChart(context: CliContext, plan: ClusterPlan, reporter: Reporter): Promise<Chart> {
  if (plan.chart !== undefined) return readChart(expandPath(plan.chart, context));
  const bundled = findInPackage(import.meta.dirname, 'charts/logtool');
  if (bundled === undefined) {
    throw new LogtoolError({
      code: 'chart-not-found',
      what: "logtool's own chart is not there",
      why: 'the folder charts/logtool of the package is missing',
      next: 'install logtool again, or name a chart with --chart',
    });
  }
  const chart = await readChart(bundled);
  reporter.line(`using the chart of the package, ${chart.metadata.name} ${chart.metadata.version}`);
  return chart;
}

async function readChart(path: string): Promise<Chart> {
  try {
    return await loadChart(path);
  } catch (error) {
    if (error instanceof LogtoolError) throw error;
    throw new LogtoolError({
      code: 'chart-unreadable',
      what: `the chart ${path} cannot be read`,
      why: error instanceof Error ? error.message : String(error),
      next: 'check the path behind --chart',
      exit: 'usage',
      cause: error,
    });
  }
}
