import { CHART_REPOSITORY } from '../../../helm/repository/chart-repository.ts';
import type { CliContext } from '../../context.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import { openChartRepositories } from './open-chart-repositories.ts';

/** Takes logtool's chart repository away from those of the package manager, and what was kept of it. */
export async function clusterRepoRemove(context: CliContext): Promise<ExitCode> {
  const { name } = CHART_REPOSITORY;
  await openChartRepositories(context).remove(name);
  await context.stdout.write(`removed the repository ${name}\n`);
  return EXIT.done;
}
