import type { RequestHeader } from './request-header.ts';

/** Whom the API server has authenticated. A review and a cache must carry all of it. */
export interface Identity {
  readonly user: string;
  /** '' if the API server named none. */
  readonly uid: string;
  readonly groups: readonly string[];
  /** By key, in lower case, as the API server sends it. */
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

/** Why headers name nobody. All but `no-user` are a request that contradicts itself. */
export type IdentityProblem = 'no-user' | 'second-user' | 'second-uid' | 'bad-text' | 'too-many';

/** More than any directory gives a person; each review repeats all of them. */
const MAX_VALUES = 1000;
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/**
 * Returns whom the API server names in its headers. Trust it only on a connection that judgeCertificate accepts.
 * `rawHeaders`: names and values in turn, as Node.js has them, with each byte of a value as one character. Empty groups
 * and values are left out, as the API server's own library does.
 */
export function readIdentity(
  rawHeaders: readonly string[],
  header: RequestHeader,
): Identity | { readonly problem: IdentityProblem } {
  const found: Found = { users: [], uids: [], groups: [], extra: new Map(), extras: 0 };
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (!collect(found, rawHeaders[at]!.toLowerCase(), rawHeaders[at + 1]!, header)) {
      return { problem: 'bad-text' };
    }
    if (found.groups.length > MAX_VALUES || found.extras > MAX_VALUES) return { problem: 'too-many' };
  }
  const [user = '', ...otherUsers] = found.users;
  const [uid = '', ...otherUids] = found.uids;
  if (otherUsers.length > 0) return { problem: 'second-user' };
  if (otherUids.length > 0) return { problem: 'second-uid' };
  if (user.trim() === '') return { problem: 'no-user' };
  return { user, uid, groups: found.groups, extra: Object.fromEntries(found.extra) };
}

interface Found {
  readonly users: string[];
  readonly uids: string[];
  readonly groups: string[];
  readonly extra: Map<string, string[]>;
  extras: number;
}

/** Adds what one header says; returns whether its text is one. */
function collect(found: Found, name: string, value: string, header: RequestHeader): boolean {
  const list = listOf(found, name, header);
  if (list !== undefined) {
    const text = decodeText(value);
    if (text !== undefined && (text !== '' || list === found.users)) list.push(text);
    return text !== undefined;
  }
  const prefix = header.extraPrefixes.find((one) => name.startsWith(one));
  return prefix === undefined || collectExtra(found, name.slice(prefix.length), value);
}

function listOf(found: Found, name: string, header: RequestHeader): string[] | undefined {
  if (header.userHeaders.includes(name)) return found.users;
  if (header.uidHeaders.includes(name)) return found.uids;
  return header.groupHeaders.includes(name) ? found.groups : undefined;
}

function collectExtra(found: Found, escapedKey: string, value: string): boolean {
  const key = decodeKey(escapedKey);
  const text = decodeText(value);
  if (key === undefined || text === undefined) return false;
  found.extras++;
  const values = found.extra.get(key);
  if (values === undefined) found.extra.set(key, [text]);
  else values.push(text);
  return true;
}

/**
 * Returns the UTF-8 text of a value; undefined if it is none, or has control characters, or blanks around it: HTTP/1.1
 * would lose those on the way to an agent, and name somebody else.
 */
function decodeText(value: string): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(
      Buffer.from(value, 'latin1'),
    );
    return CONTROL.test(text) || /^ .*\S|\S.* $/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

function decodeKey(escaped: string): string | undefined {
  try {
    const key = decodeURIComponent(escaped);
    return key === '' || CONTROL.test(key) ? undefined : key;
  } catch {
    return undefined;
  }
}
