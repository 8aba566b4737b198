import type { Session } from '../services.ts';

const SERVICE_ACCOUNT = /^system:serviceaccount:([^:]+):/;

/**
 * A key for limits per person: the user whom the cluster recognized, in all of their sessions. Without a sign-in, and
 * with `--auth token`, nobody is known by name: each session (a page, a browser) then counts as a person.
 */
export function personOf({ id, person }: Pick<Session, 'id' | 'person'>): string {
  return person ?? `session ${id}`;
}

/** The namespace of the service account that somebody has signed in as: what they may read is there, if anywhere. */
export function ownNamespaceOf({ user }: Pick<Session, 'user'>): string | undefined {
  return SERVICE_ACCOUNT.exec(user ?? '')?.[1];
}
