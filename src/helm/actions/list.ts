import type { Release } from '../release/release.ts';
import type { ReleaseList } from '../release/storage.ts';
import type { ActionContext } from './action.ts';

/**
 * The newest revision of every release of a namespace, or of all, by namespace and name; what cannot be read beside
 * them. As `helm list --all`.
 */
export async function list(context: ActionContext, namespace: string | undefined): Promise<ReleaseList> {
  const { releases, unreadable } = await context.storage.list(namespace, context);
  const newest = new Map<string, Release>();
  for (const release of releases) {
    const key = JSON.stringify([release.namespace, release.name]);
    const held = newest.get(key);
    if (held === undefined || held.version < release.version) newest.set(key, release);
  }
  const order = (a: Release, b: Release) => compare(a.namespace, b.namespace) || compare(a.name, b.name);
  return { releases: [...newest.values()].sort(order), unreadable };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
