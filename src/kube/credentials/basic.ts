import { type Credential, fixedCredential } from './credential.ts';

/** HTTP basic authentication (RFC 7617), as some proxies in front of API servers ask for it. */
export function basicCredential(username: string, password: string): Credential {
  const encoded = Buffer.from(`${username}:${password}`, 'utf8').toString('base64');
  return fixedCredential({ authorization: `Basic ${encoded}` });
}
