import { CHART_REPOSITORY } from '@logtool/helm/src/repository/chart-repository.ts';
import { shownAddress } from '@logtool/helm/src/repository/entry.ts';
import type { Repositories } from '@logtool/helm/src/repository/repositories.ts';
import { whyUnreadable } from '@logtool/kube/src/config/read-file.ts';
import { LogtoolError, usageError } from '@logtool/kube/src/values/errors.ts';
import type { CliContext } from '../../context.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import type { RawArguments } from '../../flags/flag.ts';
import { planRepository } from '../../plan/repository-plan.ts';
import { hasNoRepository } from './no-repository.ts';
import { openChartRepositories } from './open-chart-repositories.ts';
import { readStandardInput } from './read-standard-input.ts';
import { sayNotices } from './repository-notices.ts';

const PASSWORD_LIMIT_BYTES = 1024 * 1024;

/** Adds logtool's chart repository to those of the package manager, and loads its index. */
export async function clusterRepoAdd(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  const plan = await planRepository(context, raw);
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
  await sayNotices(context.stderr, notices);
  const address = shownAddress(plan.url);
  const wouldBe = { added: 'would add', replaced: 'would replace' } as const;
  await context.stdout.write(
    outcome === 'unchanged'
      ? `the repository ${name} exists already: ${address}\n`
      : `${dryRun ? wouldBe[outcome] : outcome} the repository ${name}: ${address}\n`,
  );
  return EXIT.done;
}

/** Then it is the one that `cluster install` uses. */
async function isKnown(repositories: Repositories): Promise<boolean> {
  return (await repositories.list()).some(({ name }) => name === CHART_REPOSITORY.name);
}

/** Whoever follows the instructions to install need not stop here. */
function withBundledChart(error: LogtoolError): LogtoolError {
  const { code, what, why, next, exit } = error;
  const bundled = 'logtool cluster install works without the repository, from the bundled chart';
  return new LogtoolError({ code, what, why, next: `${next}; ${bundled}`, exit, cause: error });
}

/** A line break ends it, as Helm has it: the shell's echo adds one. */
async function readPassword(): Promise<string> {
  try {
    return (await readStandardInput(PASSWORD_LIMIT_BYTES)).toString('utf8').replace(/\r?\n$/, '');
  } catch (cause) {
    throw usageError({
      code: 'password-unreadable',
      what: 'the password cannot be read from standard input',
      why: whyUnreadable(cause),
      next: 'give it on one line: echo "$PASSWORD" | logtool cluster repo add ... --password-stdin',
      cause,
    });
  }
}
