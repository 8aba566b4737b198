import { StoredByContext } from '../../frame/stored-list.ts';

const MAX_NAMES = 20;
const NONE: readonly string[] = [];
/** The server's own rule for names: one invalid name would make it reject the whole request. */
const NAME = /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/;

const stored = new StoredByContext('namespaces', (value): value is readonly string[] => {
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && NAME.test(name));
});

/**
 * Returns the namespaces of a context that the user opened by name in this browser, latest first. Users who
 * cannot list namespaces need not type them again.
 */
export function openedNamespaces(context: string | undefined): readonly string[] {
  return stored.of(context) ?? NONE;
}

/** Remembers a namespace that was readable. */
export function rememberNamespace(context: string, namespace: string): void {
  const before = openedNamespaces(context);
  if (before.includes(namespace)) return;
  stored.set(context, [namespace, ...before].slice(0, MAX_NAMES));
}

/** Forgets a namespace that is no longer readable. */
export function forgetNamespace(context: string, namespace: string): void {
  const before = openedNamespaces(context);
  if (!before.includes(namespace)) return;
  stored.set(
    context,
    before.filter((name) => name !== namespace),
  );
}

/** Calls back when the namespaces change; the returned function unsubscribes. */
export const onOpenedChange = stored.list.subscribe;

/** Parses entries from the storage; drops invalid ones, and returns none if the text is not a list. */
export function parseOpened(text: string): ReturnType<typeof stored.list.parse> {
  return stored.list.parse(text);
}
