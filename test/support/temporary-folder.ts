import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test, vi } from 'vitest';

interface TemporaryFolder {
  readonly path: string;
  /**
   * Returns the number of files in the folder that this process has open, as the system reports, including
   * unlinked ones. Linux only.
   */
  openFiles(): number;
}

/** Gives each test of the file a separate folder for the product's temporary files. */
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
      // Closed meanwhile: the descriptor that read this list.
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

/** Runs a test that depends on the system's list of open files. */
export const onLinux = test.runIf(existsSync('/proc/self/fd'));
