import { type Credential, fixedCredential } from './credential.ts';
import { headerValue } from './header-value.ts';

/** Makes a credential from a bearer token. */
export function staticTokenCredential(token: string): Credential {
  return fixedCredential({ authorization: `Bearer ${headerValue('token', token)}` });
}
