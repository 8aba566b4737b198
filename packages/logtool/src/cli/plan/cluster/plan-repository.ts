import { CHART_REPOSITORY } from '../../charts/chart-repository.ts';
import { expandPath } from '../../config-file/locate.ts';
import type { CliContext } from '../../context.ts';
import type { RawArguments } from '../../flags/flag.ts';
import { loadSettings } from '../../settings/load-settings.ts';
import type { Settings } from '../../settings/settings.ts';
import type { CommandName } from '../plans.ts';
import type { AddRepositoryPlan, RepositoryPlan } from './cluster-plans.ts';

type World = Pick<CliContext, 'env' | 'files' | 'homeDirectory' | 'workingDirectory'>;

/**
 * Returns the address of logtool's chart repository: from the environment, the configuration file, or the
 * default.
 */
export function repositoryAddress<C extends CommandName>(settings: Settings<C>): string {
  return settings.stored('cluster.repo-url')?.value ?? CHART_REPOSITORY.url;
}

/** Plans which repository `cluster repo add` adds. */
export async function planRepositoryAdd(context: World, raw: RawArguments): Promise<AddRepositoryPlan> {
  const settings = await loadSettings(context, 'cluster repo add', raw);
  const caFile = settings.value('ca-file');
  return {
    url: raw.positionals[0] || repositoryAddress(settings),
    username: settings.value('username'),
    password: settings.value('password'),
    passwordStdin: settings.value('password-stdin'),
    caFile: caFile === undefined ? undefined : expandPath(caFile, context),
    insecureSkipTlsVerify: settings.value('insecure-skip-tls-verify'),
    force: settings.value('force-update'),
    dryRun: settings.value('dry-run'),
  };
}

export async function planRepository(
  context: World,
  raw: RawArguments,
  command: 'cluster repo update' | 'cluster repo remove',
): Promise<RepositoryPlan> {
  return { dryRun: (await loadSettings(context, command, raw)).value('dry-run') };
}
