/**
 * Where the person's files are: HOME, else what the system says. In a container the process may run as a user that the
 * system does not know, and has no home then: nothing is found below the root, which is as it should be.
 */
export function homeDirectory(env: Readonly<Record<string, string | undefined>>, ask: () => string): string {
  if (env.HOME) return env.HOME;
  try {
    return ask();
  } catch {
    return '/';
  }
}
