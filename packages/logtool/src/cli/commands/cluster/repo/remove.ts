import { CHART_REPOSITORY } from '../../../charts/chart-repository.ts';
import { openChartRepositories } from '../../../charts/open-chart-repositories.ts';
import type { CliContext } from '../../../context.ts';
import { EXIT, type ExitCode } from '../../../exit-codes.ts';
import type { RawArguments } from '../../../flags/flag.ts';
import { planRepository } from '../../../plan/cluster/plan-repository.ts';

/** Removes logtool's chart repository and its cached files from the package manager. */
export async function clusterRepoRemove(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  const { name } = CHART_REPOSITORY;
  const { dryRun } = await planRepository(context, raw, 'cluster repo remove');
  await openChartRepositories(context, { dryRun }).remove(name);
  await context.stdout.write(`${dryRun ? 'would remove' : 'removed'} the repository ${name}\n`);
  return EXIT.done;
}
