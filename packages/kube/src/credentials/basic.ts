import { type Credential, fixedCredential } from './credential.ts';

/** Makes a credential for HTTP basic authentication (RFC 7617), which some proxies before API servers require. */
export function basicCredential(username: string, password: string): Credential {
  return fixedCredential({ authorization: basicAuthorization(username, password) });
}

/** Returns the Authorization header for a user and a password. */
export function basicAuthorization(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}
