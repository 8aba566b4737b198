import type { Chart } from '@logtool/helm/src/chart/chart.ts';
import { parseRange } from '@logtool/helm/src/repository/choose-version.ts';
import { satisfies } from '@logtool/helm/src/version/constraint.ts';
import { parseVersion } from '@logtool/helm/src/version/version.ts';
import { whyUnreadable } from '@logtool/kube/src/config/read-file.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { whyText } from '../../messages/problems.ts';
import { expandPath } from '../config-file/locate.ts';
import type { CliContext } from '../context.ts';
import { commandFailure, usageFailure } from '../messages/errors.ts';
import type { ChangePlan, ChartPlan } from '../plan/cluster/cluster-plans.ts';
import type { Reporter } from '../releases/reporter.ts';
import { findInRepository } from './find-in-repository.ts';
import { openChartRepositories } from './open-chart-repositories.ts';
import type { CommandCharts } from './with-charts.ts';

/**
 * How long a repository may be silent before logtool uses the bundled chart: offline users must not wait half
 * a minute.
 */
const PATIENCE_MS = 5_000;

/**
 * Returns the requested chart: that of --chart, else that of logtool's repository, else the bundled one.
 * `mayAddRepository`: adds a missing repository if its address is known.
 */
export async function findChart(
  context: CliContext,
  plan: ChartPlan & Pick<ChangePlan, 'dryRun'>,
  reporter: Reporter,
  charts: CommandCharts,
  mayAddRepository: boolean,
): Promise<Chart> {
  if (plan.chart !== undefined) {
    const chart = await reading(expandPath(plan.chart, context), (path) => charts.load(path));
    return fitting(chart, plan.chartVersion, `in ${plan.chart}`);
  }
  let why: string | undefined;
  if (!plan.offline) {
    const { dryRun } = plan;
    const repositories = openChartRepositories(context, { dryRun, silenceLimitMs: PATIENCE_MS });
    const found = await findInRepository(context, repositories, plan, reporter, charts, mayAddRepository);
    if (found !== undefined && 'chart' in found) return found.chart;
    why = found?.why;
  }
  return findBundled(context, plan, reporter, charts, why);
}

/** `why`: the reason not to use the repository's chart. */
async function findBundled(
  context: CliContext,
  plan: ChartPlan & Pick<ChangePlan, 'dryRun'>,
  reporter: Reporter,
  charts: CommandCharts,
  why: string | undefined,
): Promise<Chart> {
  const bundled = context.packageFile('charts/logtool');
  if (bundled === undefined) {
    throw commandFailure('chart-not-found', {});
  }
  const chart = await reading(bundled, (path) => charts.loadBundled(path));
  const { name, version } = chart.metadata;
  const reason = why === undefined ? '' : `${why}: `;
  reporter.line(`${reason}using the bundled chart, ${name} ${version}`);
  return fitting(chart, plan.chartVersion, 'bundled');
}

/** Returns the chart if its version fits the requested range; there is no other version to choose. */
function fitting(chart: Chart, range: string | undefined, from: string): Chart {
  const { name, version } = chart.metadata;
  if (range === undefined || version === range) return chart;
  if (satisfies(parseVersion(version), parseRange(range))) return chart;
  throw commandFailure('chart-version-not-found', {
    name,
    version,
    range,
    from: from === 'bundled' ? 'bundled with logtool' : from,
  });
}

async function reading(path: string, load: (path: string) => Promise<Chart>): Promise<Chart> {
  try {
    return await load(path);
  } catch (error) {
    if (error instanceof CodedError) throw error;
    throw usageFailure('chart-unreadable', { path, why: whyText(whyUnreadable(error)) }, error);
  }
}
