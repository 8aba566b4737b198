import { CHART_REPOSITORY } from '@logtool/helm/src/repository/chart-repository.ts';
import { shownAddress } from '@logtool/helm/src/repository/entry.ts';
import type { Repositories } from '@logtool/helm/src/repository/repositories.ts';
import { LogtoolError } from '@logtool/kube/src/values/errors.ts';
import type { CliContext } from '../../context.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import type { RawArguments } from '../../flags/flag.ts';
import { loadSettings } from '../../plan/load-settings.ts';
import { readBoolean } from '../../plan/values.ts';
import { openChartRepositories } from './open-chart-repositories.ts';
import { sayNotices } from './repository-notices.ts';

/** Loads the index of logtool's chart repository anew, and says which chart is the newest. */
export async function clusterRepoUpdate(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  const dryRun = readBoolean(await loadSettings(context, raw), 'dry-run');
  const repositories = openChartRepositories(context, { dryRun });
  for (const { name, url, notices } of await repositories.update(CHART_REPOSITORY.name)) {
    await sayNotices(context.stderr, notices);
    const newest = await newestText(repositories, name);
    await context.stdout.write(
      `${dryRun ? 'would update' : 'updated'} the repository ${name}: ${shownAddress(url)}\n${newest}\n`,
    );
  }
  return EXIT.done;
}

async function newestText(repositories: Repositories, name: string): Promise<string> {
  try {
    const { metadata } = await repositories.find(name, CHART_REPOSITORY.chart);
    return `newest chart: ${metadata.name} ${metadata.version}`;
  } catch (error) {
    const isNone =
      error instanceof LogtoolError && /^chart-(version-)?not-found$/.test(error.code)
        ? error.what
        : undefined;
    if (isNone === undefined) throw error;
    return isNone;
  }
}
