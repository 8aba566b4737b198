import { join } from 'node:path';
import type { SessionStore } from '../../kube/connection/tls-contexts.ts';
import { attempt } from './attempt.ts';
import { readOwnFile, removeOwnFiles, writeOwnFile } from './own-file.ts';

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
    read: (name) => attempt(() => readOwnFile(directory, join(directory, name), LIMIT_BYTES)),
    write: (name, bytes) => {
      attempt(() => writeOwnFile(directory, join(directory, name), bytes));
      attempt(() => removeOwnFiles(directory, UNUSED_MS));
    },
  };
}
