import { type Credential, fixedCredential } from './credential.ts';
import { headerValue } from './header-value.ts';

/** A bearer token from the kubeconfig. */
export function staticTokenCredential(token: string): Credential {
  return fixedCredential({ authorization: `Bearer ${headerValue('token', token)}` });
}
