import { delimiter, join } from 'node:path';

/** The paths of kubeconfig files, in order of precedence. */
export interface Locations {
  readonly files: readonly string[];
  /** Where the paths come from; decides the message if the files are absent. */
  readonly from: 'explicit' | 'KUBECONFIG' | 'home';
}

/**
 * Returns only the explicit file, else the files of KUBECONFIG (a list like PATH), else ~/.kube/config. The order
 * follows https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/.
 */
export function locateKubeconfigs(options: {
  readonly explicit?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  readonly listSeparator?: string;
}): Locations {
  const { explicit, env, homeDirectory, listSeparator = delimiter } = options;
  if (explicit !== undefined && explicit !== '') {
    const path = /^~[/\\]/.test(explicit) ? join(homeDirectory, explicit.slice(2)) : explicit;
    return { files: [path], from: 'explicit' };
  }
  const listed = (env.KUBECONFIG ?? '').split(listSeparator).filter((path) => path !== '');
  if (listed.length > 0) return { files: [...new Set(listed)], from: 'KUBECONFIG' };
  return { files: [join(homeDirectory, '.kube', 'config')], from: 'home' };
}
