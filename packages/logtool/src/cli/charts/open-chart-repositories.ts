import { type OpenOptions, openRepositories } from '@logtool/helm/src/repository/open-repositories.ts';
import type { Repositories } from '@logtool/helm/src/repository/repositories.ts';
import type { CliContext } from '../context.ts';

/** Opens the user's chart repositories, which Helm sees too. */
export function openChartRepositories(
  context: Pick<CliContext, 'env' | 'homeDirectory' | 'clock' | 'signal' | 'version'>,
  more: Partial<OpenOptions> = {},
): Repositories {
  const { env, homeDirectory, clock, signal, version } = context;
  const userAgent = `logtool/${version}`;
  return openRepositories({
    env,
    homeDirectory,
    clock,
    signal,
    userAgent,
    platform: process.platform,
    ...more,
  });
}
