import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test, vi } from 'vitest';

interface TemporaryFolder {
  readonly path: string;
  /** Files of this process below the folder, by the system's word; those without a name too. Linux only. */
  openFiles(): number;
}

/** Gives each test of the file a folder of its own for what the product writes for a while. */
export function temporaryFolder(): TemporaryFolder {
  let path = '';
  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), 'logtool-test-'));
    vi.stubEnv('TMPDIR', path);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    rmSync(path, { recursive: true, force: true });
  });
  const isInside = (fd: string) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(path);
    } catch {
      // Closed meanwhile: the one that this list was read with.
      return false;
    }
  };
  return {
    get path() {
      return path;
    },
    openFiles: () => readdirSync('/proc/self/fd').filter(isInside).length,
  };
}

/** A test of what only the system's list of open files shows. */
export const onLinux = test.runIf(existsSync('/proc/self/fd'));
