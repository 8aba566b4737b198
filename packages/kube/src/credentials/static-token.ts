import { type Credential, fixedCredential } from './credential.ts';
import { headerValue } from './header-value.ts';

/** A bearer token that stands in the kubeconfig. */
export function staticTokenCredential(token: string): Credential {
  return fixedCredential({ authorization: `Bearer ${headerValue('token', token)}` });
}
