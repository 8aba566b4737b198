import { posix, win32 } from 'node:path';

export interface RepositoryPaths {
  /** repositories.yaml */
  readonly config: string;
  /** The folder of NAME-index.yaml, NAME-charts.txt and downloaded charts. */
  readonly cache: string;
}

/** The properties of the machine that determine file locations. */
export interface Machine {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  readonly platform: NodeJS.Platform;
}

/**
 * Returns the locations of Helm's repository files: HELM_REPOSITORY_CONFIG and HELM_REPOSITORY_CACHE, else below
 * HELM_CONFIG_HOME and HELM_CACHE_HOME, else in `helm` below XDG_CONFIG_HOME and XDG_CACHE_HOME, else below the
 * system's folders for such files (https://helm.sh/docs/helm/helm/). Empty variables count as unset. HELM_DATA_HOME
 * holds only plugins.
 */
export function repositoryPaths(machine: Machine): RepositoryPaths {
  const { env } = machine;
  const { join } = machine.platform === 'win32' ? win32 : posix;
  const below = (helmHome: string | undefined, xdgHome: string | undefined, otherwise: () => string) =>
    helmHome || join(xdgHome || otherwise(), 'helm');
  const config = () => below(env.HELM_CONFIG_HOME, env.XDG_CONFIG_HOME, () => systemFolders(machine).config);
  const cache = () => below(env.HELM_CACHE_HOME, env.XDG_CACHE_HOME, () => systemFolders(machine).cache);
  return {
    config: env.HELM_REPOSITORY_CONFIG || join(config(), 'repositories.yaml'),
    cache: env.HELM_REPOSITORY_CACHE || join(cache(), 'repository'),
  };
}

function systemFolders({ env, homeDirectory, platform }: Machine): { config: string; cache: string } {
  switch (platform) {
    case 'win32':
      return { config: env.APPDATA ?? '', cache: env.TEMP ?? '' };
    case 'darwin':
      return {
        config: posix.join(homeDirectory, 'Library', 'Preferences'),
        cache: posix.join(homeDirectory, 'Library', 'Caches'),
      };
    default:
      return { config: posix.join(homeDirectory, '.config'), cache: posix.join(homeDirectory, '.cache') };
  }
}
