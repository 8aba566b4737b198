/**
 * Returns the result of an action on a cache, undefined if it fails. A directory that is missing, full or
 * read-only must not affect the command, which does the same without a cache.
 */
export function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
