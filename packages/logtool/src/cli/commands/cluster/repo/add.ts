import { shownAddress } from '@logtool/helm/src/repository/entry.ts';
import type { Repositories } from '@logtool/helm/src/repository/repositories.ts';
import { whyUnreadable } from '@logtool/kube/src/config/read-file.ts';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { whyText } from '../../../../messages/problems.ts';
import { CHART_REPOSITORY } from '../../../charts/chart-repository.ts';
import { hasNoRepository } from '../../../charts/no-repository.ts';
import { openChartRepositories } from '../../../charts/open-chart-repositories.ts';
import { readStandardInput } from '../../../charts/read-standard-input.ts';
import { reportNotices } from '../../../charts/repository-notices.ts';
import type { CliContext } from '../../../context.ts';
import { EXIT, type ExitCode } from '../../../exit-codes.ts';
import type { RawArguments } from '../../../flags/flag.ts';
import { ADVICE, readvised } from '../../../messages/advice.ts';
import { usageFailure } from '../../../messages/errors.ts';
import { helmWorded } from '../../../messages/helm.ts';
import type { LogtoolError } from '../../../messages/logtool-error.ts';
import { planRepositoryAdd } from '../../../plan/cluster/plan-repository.ts';

const PASSWORD_LIMIT_BYTES = 1024 * 1024;

/** Adds logtool's chart repository to the package manager's list, and downloads its index. */
export async function clusterRepoAdd(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  const plan = await planRepositoryAdd(context, raw);
  const { name } = CHART_REPOSITORY;
  const password = plan.passwordStdin ? await readPassword() : plan.password;
  const { dryRun } = plan;
  const repositories = openChartRepositories(context, { dryRun });
  const { outcome, notices } = await repositories
    .add({ name, ...plan, password })
    .catch(async (error: unknown) => {
      const isNeeded = raw.positionals.length > 0 || (await isKnown(repositories));
      throw isNeeded || !hasNoRepository(error) ? error : withBundledChart(error);
    });
  await reportNotices(context.stderr, notices);
  const address = shownAddress(plan.url);
  const wouldBe = { added: 'would add', replaced: 'would replace' } as const;
  await context.stdout.write(
    outcome === 'unchanged'
      ? `the repository ${name} already exists: ${address}\n`
      : `${dryRun ? wouldBe[outcome] : outcome} the repository ${name}: ${address}\n`,
  );
  return EXIT.done;
}

/** `cluster install` uses a known repository. */
async function isKnown(repositories: Repositories): Promise<boolean> {
  return (await repositories.list()).some(({ name }) => name === CHART_REPOSITORY.name);
}

/** Advises users who follow the installation instructions how to proceed without the repository. */
function withBundledChart(error: CodedError): LogtoolError {
  const shown = helmWorded(error);
  return readvised(shown, ADVICE.bundledChart(shown.next ?? ''));
}

/** Like Helm, drops one line break at the end: the shell's echo adds one. */
async function readPassword(): Promise<string> {
  try {
    return (await readStandardInput(PASSWORD_LIMIT_BYTES)).toString('utf8').replace(/\r?\n$/, '');
  } catch (cause) {
    throw usageFailure('password-unreadable', { why: whyText(whyUnreadable(cause)) }, cause);
  }
}
