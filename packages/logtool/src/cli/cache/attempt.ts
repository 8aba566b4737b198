/**
 * What an action with a cache gives, undefined if it fails: a directory that is missing, full or read-only is no
 * concern of the command that was asked for, which does the same without a cache.
 */
export function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
