import { readFile } from 'node:fs/promises';
import { type SessionKeyProblem, serverFailure } from '../failures.ts';

/** A key of fewer characters can be guessed. */
export const MIN_KEY_CHARACTERS = 32;
/** More than any key rotation needs. */
const MAX_KEYS = 16;

/**
 * Reads the keys of a file, one per line, the sealing key first; ignores empty lines and lines with #. Throws
 * CodedError `session-keys-unreadable`, and `bad-session-keys` for a file without a key that is long enough.
 */
export async function readSessionKeys(path: string): Promise<readonly string[]> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    const systemCode = String((cause as NodeJS.ErrnoException).code);
    throw serverFailure('session-keys-unreadable', { file: path, systemCode }, { cause });
  }
  const keys = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  const problem = faultOf(keys);
  if (problem === undefined) return keys;
  throw serverFailure('bad-session-keys', { file: path, problem }, { exit: 'usage' });
}

/** Returns the fault in the keys; never quotes a key. */
function faultOf(keys: readonly string[]): SessionKeyProblem | undefined {
  if (keys.length === 0) return { problem: 'none' };
  if (keys.length > MAX_KEYS) return { problem: 'too-many', count: keys.length, limit: MAX_KEYS };
  const short = keys.findIndex((key) => key.length < MIN_KEY_CHARACTERS);
  if (short === -1) return undefined;
  return { problem: 'short', index: short + 1, minCharacters: MIN_KEY_CHARACTERS };
}
