import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionStore } from '../../kube/connection/tls-contexts.ts';
import { isOwnDirectory } from './own-directory.ts';
import { removeOwnFiles, writeOwnFile } from './own-file.ts';

/** Far above any session: what is larger was written by somebody else. */
const LIMIT_BYTES = 64 * 1024;
const UNUSED_MS = 86_400_000;

/**
 * TLS sessions in files that nobody else may read, in a directory where nobody else may write. Who has one can speak with
 * the cluster as long as the server goes on with it, as who has the kubeconfig can. Never throws: without a session the
 * connection takes longer, and is the same.
 */
export function sessionFiles(directory: string): SessionStore {
  return {
    read: (name) => attempt(() => readOwn(directory, join(directory, name))),
    write: (name, bytes) => {
      attempt(() => writeOwnFile(directory, join(directory, name), bytes));
      attempt(() => removeOwnFiles(directory, UNUSED_MS));
    },
  };
}

/** A missing, full or read-only directory is no concern of the command that was asked for. */
function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}

function readOwn(directory: string, path: string): Uint8Array | undefined {
  if (!isOwnDirectory(directory) || statSync(path).size > LIMIT_BYTES) return undefined;
  return readFileSync(path);
}
