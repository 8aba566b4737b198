import { rmdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionStore } from '@logtool/kube/src/connection/tls-contexts.ts';
import { attempt } from './attempt.ts';
import { readOwnFile, removeOwnFiles, writeOwnFile } from './own-file.ts';

/** Far above any session: somebody else wrote a larger file. */
const LIMIT_BYTES = 64 * 1024;
const UNUSED_MS = 86_400_000;

/**
 * Keeps TLS sessions in files that only the user may read, in a directory that only the user may write to. A
 * stolen session opens a connection to the server, but contains no credentials: sessions with client
 * certificates are never kept (makeConnection). Never throws: without a session the connection only takes
 * longer.
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

/** Removes the kept sessions. Never throws. */
export function removeSessions(directory: string): void {
  attempt(() => removeOwnFiles(directory, Number.NEGATIVE_INFINITY));
  attempt(() => rmdirSync(directory));
}
