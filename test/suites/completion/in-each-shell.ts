import { describe, test } from 'vitest';
import { findShell } from './find-shell.ts';
import { SHELL_NAMES, type ShellName } from './shell-session.ts';

/**
 * Defines tests for every shell; for an unavailable shell (bash is always available) a skipped test states
 * the reason.
 */
export async function inEachShell(
  title: string,
  define: (name: ShellName, path: string) => void,
): Promise<void> {
  for (const name of SHELL_NAMES) {
    const found = await findShell(name);
    if (found.path === undefined) {
      if (name === 'bash') throw new Error(found.why);
      console.warn(`${title} is not tried in ${name}: ${found.why}`);
      test.skip(`${title} in ${name}: ${found.why}`, () => undefined);
      continue;
    }
    const { path } = found;
    describe(`${title} in ${name}`, () => define(name, path));
  }
}
