import { isAbsolute, join, resolve } from 'node:path';
import type { CliContext } from '../context.ts';

type Places = Pick<CliContext, 'homeDirectory' | 'workingDirectory'>;

/** `~/.logtool/config.yaml` of that person. */
export function defaultConfigPath(context: Places): string {
  return join(context.homeDirectory, '.logtool', 'config.yaml');
}

/** An absolute path; a leading `~` is the home directory, as the shell does not expand it behind `--path=`. */
export function expandPath(path: string, context: Places): string {
  if (path === '~') return context.homeDirectory;
  if (path.startsWith('~/')) return join(context.homeDirectory, path.slice(2));
  return isAbsolute(path) ? path : resolve(context.workingDirectory, path);
}
