import type { Chart } from '@logtool/helm/src/chart/chart.ts';
import { shownAddress } from '@logtool/helm/src/repository/entry.ts';
import type { Repositories } from '@logtool/helm/src/repository/repositories.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { CliContext } from '../context.ts';
import { helmWorded } from '../messages/helm.ts';
import type { ChangePlan, ChartPlan } from '../plan/cluster/cluster-plans.ts';
import type { Reporter } from '../releases/reporter.ts';
import { CHART_REPOSITORY } from './chart-repository.ts';
import { answerOf, hasNoRepository } from './no-repository.ts';
import { reportNotices } from './repository-notices.ts';
import type { CommandCharts } from './with-charts.ts';

/** The repository's chart, or one line on why it is unavailable now; undefined if there is no repository. */
export type InRepository = { readonly chart: Chart } | { readonly why: string } | undefined;

/**
 * Finds logtool's chart in its repository: the newest fitting version of the index as last downloaded.
 * `mayAdd`: adds a missing repository first.
 */
export async function findInRepository(
  context: CliContext,
  repositories: Repositories,
  plan: Pick<ChartPlan & ChangePlan, 'chartVersion' | 'repositoryUrl' | 'dryRun'>,
  reporter: Reporter,
  charts: CommandCharts,
  mayAdd: boolean,
): Promise<InRepository> {
  const isKnown = (await repositories.list()).some((entry) => entry.name === CHART_REPOSITORY.name);
  if (!isKnown && !mayAdd) return undefined;
  const why = isKnown ? undefined : await addRepository(context, repositories, plan, reporter);
  return why === undefined ? newestChart(repositories, plan, reporter, charts) : { why };
}

/** Adds the repository. Returns why it is unavailable now, if that is not a reason to fail. */
async function addRepository(
  context: CliContext,
  repositories: Repositories,
  { repositoryUrl: url, dryRun }: Pick<ChartPlan & ChangePlan, 'repositoryUrl' | 'dryRun'>,
  reporter: Reporter,
): Promise<string | undefined> {
  const { name } = CHART_REPOSITORY;
  const address = shownAddress(url);
  reporter.progress(`looking for charts at ${address}`);
  try {
    const { notices } = await repositories.add({ name, url });
    await reportNotices(context.stderr, notices);
  } catch (error) {
    if (hasNoRepository(error)) return `the chart repository ${address} ${answerOf(error)}`;
    // The user did not ask for the built-in repository, so a problem with it must not fail the command.
    if (url !== CHART_REPOSITORY.url || !(error instanceof CodedError)) throw error;
    const { what, why } = helmWorded(error);
    return `cannot add the chart repository ${address} (${what}: ${why})`;
  }
  reporter.line(`${dryRun ? 'would add' : 'added'} the repository ${name}: ${address}`);
  return undefined;
}

/** Returns the newest fitting version of the index as last downloaded. */
async function newestChart(
  repositories: Repositories,
  { chartVersion }: Pick<ChartPlan, 'chartVersion'>,
  reporter: Reporter,
  charts: CommandCharts,
): Promise<InRepository> {
  const { name, chart: own } = CHART_REPOSITORY;
  try {
    const version = await repositories.find(name, own, chartVersion);
    charts.expectForeign();
    const chart = await charts.unpack(await repositories.download(version));
    reporter.line(
      `using the chart of the repository ${name}, ${chart.metadata.name} ${chart.metadata.version}`,
    );
    return { chart };
  } catch (error) {
    if (!isOutOfReach(error)) throw error;
    const { what, why } = helmWorded(error);
    return { why: `${what}: ${why}` };
  }
}

/**
 * Whether there is no network, or nothing is downloaded yet. The user must decide about any other problem.
 */
function isOutOfReach(error: unknown): error is CodedError {
  const codes = ['repository-unreachable', 'repository-not-updated'];
  return error instanceof CodedError && codes.includes(error.code);
}
