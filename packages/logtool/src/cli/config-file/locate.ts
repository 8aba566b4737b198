import { isAbsolute, join, resolve } from 'node:path';
import type { CliContext } from '../context.ts';
import { defaultOf } from '../flags/table.ts';
import type { ConfigFormat } from './config-format.ts';

type UserFolders = Pick<CliContext, 'homeDirectory' | 'workingDirectory'>;

/** The default of --config for that person, `~/.logtool/config.yaml`, or the same of another format. */
export function defaultConfigPath(context: UserFolders, format: ConfigFormat = 'yaml'): string {
  return expandPath(String(defaultOf('', 'config')).replace(/\.yaml$/, `.${format}`), context);
}

/** The places of a configuration file: the first that exists wins. */
export function defaultConfigPaths(context: UserFolders): readonly string[] {
  return (['yaml', 'toml', 'json'] as const).map((format) => defaultConfigPath(context, format));
}

/** The default places that have a file; unreadable ones included. */
export async function existingDefaults(
  context: UserFolders & Pick<CliContext, 'files'>,
): Promise<readonly string[]> {
  const paths = defaultConfigPaths(context);
  const exist = await Promise.all(
    paths.map((path) =>
      context.files.readSmallFile(path).then(
        () => true,
        ({ code }: NodeJS.ErrnoException) => code !== 'ENOENT' && code !== 'ENOTDIR',
      ),
    ),
  );
  return paths.filter((_, at) => exist[at]);
}

/** That of several default files only the first is read; undefined if there is no more than one. */
export function severalDefaults([first, ...others]: readonly string[]): string | undefined {
  if (first === undefined || others.length === 0) return undefined;
  return `note: only ${first} is read; remove it to use ${others.join(' or ')}\n`;
}

/** What names a configuration file on the command line of `config init`: nothing where it is the default one. */
export function pathArgument(path: string, context: UserFolders): string {
  return path === defaultConfigPath(context) ? '' : ` --path ${path}`;
}

/** The format that the ending of a path says; undefined if it says none. */
export function formatOfName(path: string): ConfigFormat | undefined {
  const ending = /\.(yaml|yml|json|toml)$/i.exec(path)?.[1]?.toLowerCase();
  if (ending === 'json' || ending === 'toml') return ending;
  return ending === undefined ? undefined : 'yaml';
}

/**
 * An absolute path; a leading `~` is the home directory, because the shell does not expand it after
 * `--path=`.
 */
export function expandPath(path: string, context: UserFolders): string {
  if (path === '~') return context.homeDirectory;
  if (path.startsWith('~/')) return join(context.homeDirectory, path.slice(2));
  return isAbsolute(path) ? path : resolve(context.workingDirectory, path);
}
