import { StoredByContext } from '../../app/stored-list.ts';

const MAX_NAMES = 20;
const NONE: readonly string[] = [];
/** As the server takes it: one that is not would make it refuse all of them. */
const NAME = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

const stored = new StoredByContext('namespaces', (value): value is readonly string[] => {
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && NAME.test(name));
});

/**
 * The namespaces of a context that somebody has opened by name in this browser, the latest first: who may not list
 * namespaces need not type them again.
 */
export function openedNamespaces(context: string | undefined): readonly string[] {
  return stored.of(context) ?? NONE;
}

/** Remembers a namespace that could be read. */
export function rememberNamespace(context: string, namespace: string): void {
  const before = openedNamespaces(context);
  if (before.includes(namespace)) return;
  stored.set(context, [namespace, ...before].slice(0, MAX_NAMES));
}

/** Forgets one that may not be read any more. */
export function forgetNamespace(context: string, namespace: string): void {
  const before = openedNamespaces(context);
  if (!before.includes(namespace)) return;
  stored.set(
    context,
    before.filter((name) => name !== namespace),
  );
}

/** Calls back when they change; the returned function ends that. */
export const onOpenedChange = stored.list.subscribe;

/** Entries from the storage; none if it is not a list, and without invalid ones. */
export function parseOpened(text: string): ReturnType<typeof stored.list.parse> {
  return stored.list.parse(text);
}
