import { isAbsolute, join, resolve } from 'node:path';
import type { CliContext } from '../context.ts';
import type { ConfigFormat } from './keys.ts';

type Places = Pick<CliContext, 'homeDirectory' | 'workingDirectory'>;

/** `~/.logtool/config.yaml` of that person. */
export function defaultConfigPath(context: Places): string {
  return join(context.homeDirectory, '.logtool', 'config.yaml');
}

/** What names a configuration file on the command line of `config init`: nothing where it is the default one. */
export function pathArgument(path: string, context: Places): string {
  return path === defaultConfigPath(context) ? '' : ` --path ${path}`;
}

/** The format that the ending of a path says; undefined where it says none. */
export function formatOfName(path: string): ConfigFormat | undefined {
  const ending = /\.(yaml|yml|json|toml)$/i.exec(path)?.[1]?.toLowerCase();
  if (ending === 'json' || ending === 'toml') return ending;
  return ending === undefined ? undefined : 'yaml';
}

/** An absolute path; a leading `~` is the home directory, as the shell does not expand it behind `--path=`. */
export function expandPath(path: string, context: Places): string {
  if (path === '~') return context.homeDirectory;
  if (path.startsWith('~/')) return join(context.homeDirectory, path.slice(2));
  return isAbsolute(path) ? path : resolve(context.workingDirectory, path);
}
