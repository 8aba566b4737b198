/**
 * The user's home: HOME, else the system's answer. In a container the process may run as a user that the
 * system does not know, and then has no home: nothing is found below the root, which is intended.
 */
export function homeDirectory(env: Readonly<Record<string, string | undefined>>, ask: () => string): string {
  if (env.HOME) return env.HOME;
  try {
    return ask();
  } catch {
    return '/';
  }
}
