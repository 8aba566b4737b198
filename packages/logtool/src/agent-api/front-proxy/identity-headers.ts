import type { Identity } from './read-identity.ts';

/**
 * Returns the headers in which the API of logtool names its caller to an agent, as the API server has named it to the
 * API; `readIdentity` reads the same identity from them. Text is in UTF-8, each byte as one character.
 */
export function identityHeaders({
  user,
  uid,
  groups,
  extra,
}: Identity): Readonly<Record<string, string | string[]>> {
  const extras = Object.entries(extra).map(([key, values]) => [
    `X-Remote-Extra-${escapedKey(key)}`,
    values.map(bytesOf),
  ]);
  return {
    'X-Remote-User': bytesOf(user),
    ...(uid === '' ? {} : { 'X-Remote-Uid': bytesOf(uid) }),
    ...(groups.length === 0 ? {} : { 'X-Remote-Group': groups.map(bytesOf) }),
    ...Object.fromEntries(extras),
  };
}

function bytesOf(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** A name of a header admits what encodeURIComponent leaves as it is, but for parentheses (RFC 9110, 5.6.2). */
function escapedKey(key: string): string {
  return encodeURIComponent(key).replaceAll('(', '%28').replaceAll(')', '%29');
}
