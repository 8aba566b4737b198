import type { Session } from '../services.ts';

const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):/;

/**
 * Returns the key for limits per person: the user whom the cluster recognized, in all of their sessions. Without a
 * sign-in, and with `--auth token`, no person is identified: each session (a page, a browser) then counts as a person.
 */
export function personOf({ id, person }: Pick<Session, 'id' | 'person'>): string {
  return person ?? `session ${id}`;
}

/** Returns the namespace of the signed-in service account: if the person can read anything, it is probably there. */
export function ownNamespaceOf({ user }: Pick<Session, 'user'>): string | undefined {
  return SERVICE_ACCOUNT.exec(user ?? '')?.[1];
}
