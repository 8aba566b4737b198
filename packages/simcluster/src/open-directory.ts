import { mkdtempSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface OpenDirectory {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

const temporary = new Set<string>();

/** The folder that was given, which stays; else a temporary one, which goes with the process at the latest. */
export function openDirectory(given: string | undefined): OpenDirectory {
  if (given !== undefined) return { path: given, remove: async () => undefined };
  // At once, so that no signal comes between the folder and its note.
  const path = mkdtempSync(join(tmpdir(), 'simcluster-'));
  if (temporary.add(path).size === 1) process.on('exit', removeAll);
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true });
      if (temporary.delete(path) && temporary.size === 0) process.off('exit', removeAll);
    },
  };
}

/** A process that was killed could not remove them. */
function removeAll(): void {
  for (const path of temporary) {
    try {
      rmSync(path, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // Nothing is left to be done about it, and no stack trace helps.
    }
  }
}
