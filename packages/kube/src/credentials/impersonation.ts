import { field, isPlainObject, objectField, textField, textListField, wrongType } from '../config/fields.ts';
import { InvalidField } from '../config/invalid-field.ts';
import type { PlainObject } from '../config/kubeconfig.ts';
import { kubeFailure } from '../values/failures.ts';
import { headerValue } from './header-value.ts';

/**
 * Returns the Impersonate-* headers for a user's `as`, `as-uid`, `as-groups` and `as-user-extra`
 * (https://kubernetes.io/docs/reference/access-authn-authz/authentication/#user-impersonation). Throws InvalidField,
 * CodedError `bad-impersonation`.
 */
export function impersonationHeaders(user: PlainObject): Record<string, string | string[]> {
  const as = textField(user, 'as');
  const uid = textField(user, 'as-uid');
  const groups = textListField(user, 'as-groups');
  const extra = extraFields(user);
  if (as === '') {
    if (uid === '' && groups.length === 0 && extra.length === 0) return {};
    throw kubeFailure('bad-impersonation', {});
  }
  const headers: Record<string, string | string[]> = { 'Impersonate-User': headerValue('as', as) };
  if (uid !== '') headers['Impersonate-Uid'] = headerValue('as-uid', uid);
  if (groups.length > 0)
    headers['Impersonate-Group'] = groups.map((group) => headerValue('as-groups', group));
  for (const [key, values] of extra) {
    headers[`Impersonate-Extra-${escapeKey(key)}`] = values.map((value) =>
      headerValue('as-user-extra', value),
    );
  }
  return headers;
}

function extraFields(user: PlainObject): [string, readonly string[]][] {
  const extra = objectField(user, 'as-user-extra');
  return Object.keys(extra).map((key) => {
    const value = field(extra, key);
    if (isPlainObject(value)) throw new InvalidField(['as-user-extra', key], wrongType('list', value));
    return [key, textListField(extra, key)];
  });
}

/**
 * Percent-encodes characters that a header name cannot contain (client-go's headerKeyEscape); the server decodes them.
 */
function escapeKey(key: string): string {
  const bytes = Buffer.from(key, 'utf8');
  return Array.from(bytes, (byte) => {
    const letter = String.fromCharCode(byte);
    if (/[A-Za-z0-9!#$&'*+.^_`|~-]/.test(letter)) return letter;
    return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}
