import { shownAddress } from '@logtool/helm/src/repository/entry.ts';
import type { Repositories } from '@logtool/helm/src/repository/repositories.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { CHART_REPOSITORY } from '../../../charts/chart-repository.ts';
import { openChartRepositories } from '../../../charts/open-chart-repositories.ts';
import { reportNotices } from '../../../charts/repository-notices.ts';
import type { CliContext } from '../../../context.ts';
import { EXIT, type ExitCode } from '../../../exit-codes.ts';
import type { RawArguments } from '../../../flags/flag.ts';
import { helmWorded } from '../../../messages/helm.ts';
import { planRepository } from '../../../plan/cluster/plan-repository.ts';

/** Downloads the index of logtool's chart repository again, and reports the newest chart. */
export async function clusterRepoUpdate(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  const { dryRun } = await planRepository(context, raw, 'cluster repo update');
  const repositories = openChartRepositories(context, { dryRun });
  for (const { name, url, notices } of await repositories.update(CHART_REPOSITORY.name)) {
    await reportNotices(context.stderr, notices);
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
      error instanceof CodedError && /^chart-(version-)?not-found$/.test(error.code)
        ? helmWorded(error).what
        : undefined;
    if (isNone === undefined) throw error;
    return isNone;
  }
}
