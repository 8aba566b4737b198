import type { Session } from '../services.ts';

/**
 * A key for limits per person: the user whom the cluster recognized, in all of their sessions. Without a sign-in, and
 * with `--auth token`, nobody is known by name: each session (a page, a browser) then counts as a person.
 */
export function personOf({ id, person }: Pick<Session, 'id' | 'person'>): string {
  return person ?? `session ${id}`;
}
