import { CHART_REPOSITORY } from '@logtool/helm/src/repository/chart-repository.ts';
import { expandPath } from '../config-file/locate.ts';
import type { CliContext } from '../context.ts';
import type { RawArguments } from '../flags/flag.ts';
import { loadSettings } from './load-settings.ts';
import type { Settings } from './settings.ts';
import { readBoolean, readText } from './values.ts';

/** A chart repository that is to be added. */
export interface RepositoryPlan {
  readonly url: string;
  readonly username: string | undefined;
  readonly password: string | undefined;
  /** The password comes from standard input instead. */
  readonly passwordStdin: boolean;
  /** An absolute path: it is written down for every later command, wherever that runs. */
  readonly caFile: string | undefined;
  readonly insecureSkipTlsVerify: boolean;
  readonly force: boolean;
  readonly dryRun: boolean;
}

/** The address of logtool's chart repository: of the environment, the configuration file, or its own. */
export function repositoryAddress(
  env: Readonly<Record<string, string | undefined>>,
  settings: Settings,
): string {
  return env.LOGTOOL_CHART_REPO || settings.stored('cluster.repo-url')?.value || CHART_REPOSITORY.url;
}

/** What `cluster repo add` is asked to add. */
export async function planRepository(
  context: Pick<CliContext, 'env' | 'files' | 'homeDirectory' | 'workingDirectory'>,
  raw: RawArguments,
): Promise<RepositoryPlan> {
  const settings = await loadSettings(context, raw);
  const url = raw.positionals[0] || repositoryAddress(context.env, settings);
  const caFile = readText(settings, 'ca-file', 'FILE');
  return {
    url,
    username: readText(settings, 'username', 'NAME'),
    password: readText(settings, 'password', 'TEXT'),
    passwordStdin: readBoolean(settings, 'password-stdin'),
    caFile: caFile === undefined ? undefined : expandPath(caFile, context),
    insecureSkipTlsVerify: readBoolean(settings, 'insecure-skip-tls-verify'),
    force: readBoolean(settings, 'force-update'),
    dryRun: readBoolean(settings, 'dry-run'),
  };
}
