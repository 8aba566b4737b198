import { readFile } from 'node:fs/promises';
import { LogtoolError, usageError } from '@logtool/kube/src/values/errors.ts';

/** A key of fewer characters can be guessed. */
export const MIN_KEY_CHARACTERS = 32;
/** More than any rotation has at once. */
const MAX_KEYS = 16;

/**
 * The keys of a file, one per line, the one that seals first; empty lines and lines with # do not count. Throws
 * LogtoolError `session-keys-unreadable`, and `bad-session-keys` for a file without a key that is long enough.
 */
export async function readSessionKeys(path: string): Promise<readonly string[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    throw new LogtoolError({
      code: 'session-keys-unreadable',
      what: `cannot read the session keys in ${path}`,
      why: `the system reports ${(cause as NodeJS.ErrnoException).code}`,
      next: 'check the path of --session-key-file; in a cluster, check that the Secret exists and is mounted',
      cause,
    });
  }
  const keys = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const why = faultOf(keys);
  if (why === undefined) return keys;
  throw usageError({
    code: 'bad-session-keys',
    what: `cannot use the session keys in ${path}`,
    why,
    next: 'write one key per line, for example from: openssl rand -base64 48',
  });
}

/** Never quotes a key. */
function faultOf(keys: readonly string[]): string | undefined {
  if (keys.length === 0) return 'the file has no key';
  if (keys.length > MAX_KEYS) return `the file has ${keys.length} keys; logtool takes up to ${MAX_KEYS}`;
  const short = keys.findIndex((key) => key.length < MIN_KEY_CHARACTERS);
  return short === -1 ? undefined : `key ${short + 1} has fewer than ${MIN_KEY_CHARACTERS} characters`;
}
