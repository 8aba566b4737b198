import { CHART_REPOSITORY } from '@logtool/helm/src/repository/chart-repository.ts';
import type { CliContext } from '../../context.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import type { RawArguments } from '../../flags/flag.ts';
import { loadSettings } from '../../plan/load-settings.ts';
import { readBoolean } from '../../plan/values.ts';
import { openChartRepositories } from './open-chart-repositories.ts';

/** Takes logtool's chart repository away from those of the package manager, and what was kept of it. */
export async function clusterRepoRemove(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  const { name } = CHART_REPOSITORY;
  const dryRun = readBoolean(await loadSettings(context, raw), 'dry-run');
  await openChartRepositories(context, { dryRun }).remove(name);
  await context.stdout.write(`${dryRun ? 'would remove' : 'removed'} the repository ${name}\n`);
  return EXIT.done;
}
