import { isAbsolute, join, resolve } from 'node:path';
import type { CliContext } from '../context.ts';
import { defaultOf } from '../flags/table.ts';
import type { ConfigFormat } from './config-format.ts';

type UserFolders = Pick<CliContext, 'homeDirectory' | 'workingDirectory'>;

/** Returns the user's default of --config, `~/.logtool/config.yaml`, or the same with another extension. */
export function defaultConfigPath(context: UserFolders, format: ConfigFormat = 'yaml'): string {
  return expandPath(String(defaultOf('', 'config')).replace(/\.yaml$/, `.${format}`), context);
}

/** Lists where a configuration file may be: logtool reads the first that exists. */
export function defaultConfigPaths(context: UserFolders): readonly string[] {
  return (['yaml', 'toml', 'json'] as const).map((format) => defaultConfigPath(context, format));
}

/** Lists the default paths that have a file, including unreadable ones. */
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

/**
 * Returns a note that logtool reads only the first of several default files; undefined if at most one exists.
 */
export function severalDefaults([first, ...others]: readonly string[]): string | undefined {
  if (first === undefined || others.length === 0) return undefined;
  return `note: logtool reads only ${first}; remove it to use ${others.join(' or ')}\n`;
}

/** Returns the argument that names a configuration file for `config init`; empty for the default file. */
export function pathArgument(path: string, context: UserFolders): string {
  return path === defaultConfigPath(context) ? '' : ` --path ${path}`;
}

/** Returns the format for a path's extension; undefined if it is unknown. */
export function formatOfName(path: string): ConfigFormat | undefined {
  const ending = /\.(yaml|yml|json|toml)$/i.exec(path)?.[1]?.toLowerCase();
  if (ending === 'json' || ending === 'toml') return ending;
  return ending === undefined ? undefined : 'yaml';
}

/**
 * Returns an absolute path. Expands a leading `~` to the home directory, because the shell does not expand it
 * after `--path=`.
 */
export function expandPath(path: string, context: UserFolders): string {
  if (path === '~') return context.homeDirectory;
  if (path.startsWith('~/')) return join(context.homeDirectory, path.slice(2));
  return isAbsolute(path) ? path : resolve(context.workingDirectory, path);
}
