import { LogtoolError } from '../../../domain/errors.ts';
import type { Chart } from '../../../helm/chart/chart.ts';
import { readChartArchive } from '../../../helm/chart/read-archive.ts';
import { CHART_REPOSITORY } from '../../../helm/repository/chart-repository.ts';
import { shownAddress } from '../../../helm/repository/entry.ts';
import type { Repositories } from '../../../helm/repository/repositories.ts';
import type { CliContext } from '../../context.ts';
import type { ClusterPlan } from '../../plan/cluster-plan.ts';
import type { Reporter } from './reporter.ts';
import { sayNotices } from './repository-notices.ts';

/**
 * logtool's chart of its repository: the newest version of the index as it was loaded last that fits. Undefined where
 * there is no repository, or none can be reached, which is said in a line. `mayAdd`: a repository whose address is
 * known and that is missing is added first.
 */
export async function findInRepository(
  context: CliContext,
  repositories: Repositories,
  plan: Pick<ClusterPlan, 'chartVersion' | 'repositoryUrl' | 'dryRun'>,
  reporter: Reporter,
  mayAdd: boolean,
): Promise<Chart | undefined> {
  const { name, chart: own } = CHART_REPOSITORY;
  try {
    const isKnown = (await repositories.list()).some((entry) => entry.name === name);
    if (!isKnown) {
      const url = plan.repositoryUrl;
      if (url === undefined || !mayAdd) return undefined;
      if (plan.dryRun) {
        reporter.line(`the repository ${name} is missing, and a dry run does not add it`);
        return undefined;
      }
      const { notices } = await repositories.add({ name, url });
      await sayNotices(context.stderr, notices);
      reporter.line(`added the repository ${name}: ${shownAddress(url)}`);
    }
    const version = await repositories.find(name, own, plan.chartVersion);
    const chart = await readChartArchive(await repositories.download(version));
    reporter.line(
      `using the chart of the repository ${name}, ${chart.metadata.name} ${chart.metadata.version}`,
    );
    return chart;
  } catch (error) {
    if (!isOutOfReach(error)) throw error;
    reporter.line(`${error.what}: ${error.why}`);
    return undefined;
  }
}

/** No network, or nothing loaded yet: all else that is wrong with a repository is for a person to decide. */
function isOutOfReach(error: unknown): error is LogtoolError {
  const codes = ['repository-unreachable', 'repository-not-updated'];
  return error instanceof LogtoolError && codes.includes(error.code);
}
