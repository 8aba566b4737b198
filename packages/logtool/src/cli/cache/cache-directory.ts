import { isAbsolute, join } from 'node:path';
import { attempt } from './attempt.ts';

/**
 * Returns where the program may keep files that it can create again: `XDG_CACHE_HOME` (the XDG Base Directory
 * Specification), else the operating system's place. Undefined if neither exists.
 */
export function cacheDirectory(
  env: Readonly<Record<string, string | undefined>>,
  homeDirectory: () => string,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const base = env.XDG_CACHE_HOME || (platform === 'win32' ? env.LOCALAPPDATA : undefined);
  if (base !== undefined) return isAbsolute(base) ? join(base, 'logtool') : undefined;
  // An account without a home directory has no cache.
  const home = env.HOME || attempt(homeDirectory);
  if (home === undefined || !isAbsolute(home)) return undefined;
  return join(home, platform === 'darwin' ? 'Library/Caches' : '.cache', 'logtool');
}
