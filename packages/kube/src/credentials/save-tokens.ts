import { randomBytes } from 'node:crypto';
import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { isPlainObject, objectField, objectListField, textField } from '../config/fields.ts';
import type { Entry, Plain } from '../config/kubeconfig.ts';
import { parseKubeconfigText } from '../config/parse.ts';
import { readSmallFile } from '../config/read-file.ts';
import type { Clock } from '../values/clock.ts';
import { ProblemError } from '../values/problems.ts';
import { type Attempt, retry } from '../values/retry.ts';

/** kubectl holds its lock for milliseconds; a lock that stays longer was abandoned. */
const LOCK_POLICY = { waitsMs: [100], limitMs: 2_000 } as const;

/**
 * Sets fields of a user's auth-provider.config in its kubeconfig, and keeps everything else: comments, order, unknown
 * fields. Replaces the content atomically (by rename), under the lock file that kubectl uses, with the same mode.
 * Rejects if the file cannot be written or no longer has the user.
 */
export async function saveAuthProviderConfig(
  user: Entry,
  values: Readonly<Record<string, string>>,
  clock: Clock,
): Promise<void> {
  // The kubeconfig may be a symbolic link: replace its target, not the link.
  const file = await realpath(user.file);
  const unlock = await lock(file, clock);
  try {
    const text = (await readSmallFile(file)).toString('utf8');
    await replace(file, await edited(text, user.name, values));
  } finally {
    await unlock();
  }
}

async function edited(
  text: string,
  userName: string,
  values: Readonly<Record<string, string>>,
): Promise<string> {
  if (/^\s*\{/.test(text)) {
    const json = editedJson(text, userName, values);
    if (json !== undefined) return json;
  }
  const before = await reread(text);
  const users = isPlainObject(before) ? before.users : undefined;
  if (!Array.isArray(users)) throw new ProblemError({ code: 'file-changed', data: {} });
  const index = users.findIndex((item: Plain) => isPlainObject(item) && item.name === userName);
  if (index < 0) throw new ProblemError({ code: 'user-removed', data: {} });
  const { setTexts } = await import('../yaml/set-texts.ts');
  const path = ['users', index, 'user', 'auth-provider', 'config'];
  const after = setTexts(text, path, values);
  if (after === undefined || !isDeepStrictEqual(await reread(after), withValues(before, path, values)))
    throw new ProblemError({ code: 'file-not-editable', data: {} });
  return after;
}

async function reread(text: string): Promise<Plain> {
  try {
    return await parseKubeconfigText(Buffer.from(text), '');
  } catch {
    throw new ProblemError({ code: 'file-changed', data: {} });
  }
}

/** Returns a copy of a document in which the mapping at that path also has these values. */
function withValues(
  value: Plain | undefined,
  [step, ...rest]: readonly (string | number)[],
  values: Readonly<Record<string, string>>,
): Plain {
  if (Array.isArray(value))
    return value.map((item: Plain, at) => (at === step ? withValues(item, rest, values) : item));
  const fields = value !== undefined && isPlainObject(value) ? value : {};
  return step === undefined
    ? { ...fields, ...values }
    : { ...fields, [step]: withValues(fields[step], rest, values) };
}

/** Returns undefined if the text is not JSON but YAML's flow style. */
function editedJson(
  text: string,
  userName: string,
  values: Readonly<Record<string, string>>,
): string | undefined {
  let document: Plain;
  try {
    document = JSON.parse(text) as Plain;
  } catch {
    return undefined;
  }
  const users = isPlainObject(document) ? objectListField(document, 'users') : [];
  const user = users.find((item) => textField(item, 'name') === userName);
  if (user === undefined) throw new ProblemError({ code: 'user-removed', data: {} });
  const provider = objectField(objectField(user, 'user'), 'auth-provider');
  // This object belongs to the document parsed above; nothing else refers to it.
  Object.assign(objectField(provider, 'config'), values);
  const indent = /\n([ \t]+)\S/.exec(text)?.[1];
  return `${JSON.stringify(document, null, indent)}${text.endsWith('\n') ? '\n' : ''}`;
}

async function replace(file: string, text: string): Promise<void> {
  const { mode } = await stat(file);
  const temporary = `${file}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const handle = await open(temporary, 'wx', mode & 0o777);
    try {
      // The umask may have removed permissions that the file had.
      await handle.chmod(mode & 0o777);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Resolves with a function that removes the lock. After two seconds, continues without the lock. */
function lock(file: string, clock: Clock): Promise<() => Promise<void>> {
  const attempt = async (): Promise<Attempt<() => Promise<void>>> => {
    try {
      await (await open(`${file}.lock`, 'wx', 0o600)).close();
      return { state: 'done', value: () => rm(`${file}.lock`, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return { state: 'fatal', error };
      return { state: 'pending', value: async () => {} };
    }
  };
  return retry(LOCK_POLICY, attempt, { clock });
}
