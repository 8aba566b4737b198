import type { Chart } from '@logtool/helm/src/chart/chart.ts';
import { CHART_REPOSITORY } from '@logtool/helm/src/repository/chart-repository.ts';
import { shownAddress } from '@logtool/helm/src/repository/entry.ts';
import type { Repositories } from '@logtool/helm/src/repository/repositories.ts';
import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import type { CliContext } from '../../context.ts';
import type { ClusterPlan } from '../../plan/cluster-plan.ts';
import { answerOf, hasNoRepository } from './no-repository.ts';
import type { Reporter } from './reporter.ts';
import { sayNotices } from './repository-notices.ts';
import type { CommandCharts } from './with-charts.ts';

/** The chart of the repository, or in a line why there is none to be had now; undefined: there is no repository. */
export type InRepository = { readonly chart: Chart } | { readonly why: string } | undefined;

/**
 * logtool's chart of its repository: the newest version of the index as it was loaded last that fits. `mayAdd`: a
 * repository that is missing is added first.
 */
export async function findInRepository(
  context: CliContext,
  repositories: Repositories,
  plan: Pick<ClusterPlan, 'chartVersion' | 'repositoryUrl' | 'dryRun'>,
  reporter: Reporter,
  charts: CommandCharts,
  mayAdd: boolean,
): Promise<InRepository> {
  const { name, chart: own } = CHART_REPOSITORY;
  const isKnown = (await repositories.list()).some((entry) => entry.name === name);
  if (!isKnown) {
    if (!mayAdd) return undefined;
    const url = plan.repositoryUrl;
    const address = shownAddress(url);
    reporter.progress(`looking for charts at ${address}`);
    try {
      const { notices } = await repositories.add({ name, url });
      await sayNotices(context.stderr, notices);
    } catch (error) {
      if (hasNoRepository(error)) return { why: `the chart repository ${address} ${answerOf(error)}` };
      // Nobody asked for the built-in one: whatever is wrong with it, or with adding it, is no reason to fail.
      if (url !== CHART_REPOSITORY.url || !(error instanceof LogtoolError)) throw error;
      return { why: `the chart repository ${address} cannot be added (${error.what}: ${error.why})` };
    }
    reporter.line(`${plan.dryRun ? 'would add' : 'added'} the repository ${name}: ${address}`);
  }
  try {
    const version = await repositories.find(name, own, plan.chartVersion);
    charts.expectForeign();
    const chart = await charts.unpack(await repositories.download(version));
    reporter.line(
      `using the chart of the repository ${name}, ${chart.metadata.name} ${chart.metadata.version}`,
    );
    return { chart };
  } catch (error) {
    if (!isOutOfReach(error)) throw error;
    return { why: `${error.what}: ${error.why}` };
  }
}

/** No network, or nothing loaded yet: all else that is wrong with a repository is for a person to decide. */
function isOutOfReach(error: unknown): error is LogtoolError {
  const codes = ['repository-unreachable', 'repository-not-updated'];
  return error instanceof LogtoolError && codes.includes(error.code);
}
