import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { aptInstall, thisMachine } from '../../support/apt-install.ts';

/** The path of a shell's program, or why it is missing. */
export type FoundShell = { readonly path: string } | { readonly path: undefined; readonly why: string };

/**
 * Returns a shell on the PATH; if it is missing, installs Debian's package if this machine has apt and allows
 * it.
 */
export async function findShell(name: string): Promise<FoundShell> {
  const found = onPath(name);
  if (found !== undefined) return { path: found };
  const tried = await aptInstall(name, thisMachine);
  const now = onPath(name);
  return now === undefined ? { path: undefined, why: `no ${name} was found, and ${tried}` } : { path: now };
}

/** Returns the path of a program on the PATH; tests do not install it. */
export function onPath(name: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders
    .map((folder) => join(folder, name))
    .find((path) => {
      try {
        accessSync(path, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}
