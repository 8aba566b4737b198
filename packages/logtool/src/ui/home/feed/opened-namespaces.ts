const KEY = 'logtool.namespaces';
const MAX_CONTEXTS = 20;
const MAX_NAMES = 20;
const listeners = new Set<() => void>();
const NONE: readonly string[] = [];
let cache: { readonly text: string; readonly entries: readonly Entry[] } = { text: '', entries: [] };

type Entry = readonly [context: string, names: readonly string[]];

/**
 * The namespaces of a context that somebody has opened by name in this browser, the latest first: who may not list
 * namespaces need not type them again.
 */
export function openedNamespaces(context: string | undefined): readonly string[] {
  return read().find(([name]) => name === context)?.[1] ?? NONE;
}

/** Remembers a namespace that could be read. */
export function rememberNamespace(context: string, namespace: string): void {
  const before = openedNamespaces(context);
  if (before.includes(namespace)) return;
  write(context, [namespace, ...before].slice(0, MAX_NAMES));
}

/** Forgets one that may not be read any more. */
export function forgetNamespace(context: string, namespace: string): void {
  const before = openedNamespaces(context);
  if (!before.includes(namespace)) return;
  write(
    context,
    before.filter((name) => name !== namespace),
  );
}

/** Calls back when they change; the returned function ends that. */
export function onOpenedChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function write(context: string, names: readonly string[]): void {
  const others = read().filter(([name]) => name !== context);
  const entries: readonly Entry[] = [[context, names], ...others];
  try {
    localStorage.setItem(KEY, JSON.stringify(entries.slice(0, MAX_CONTEXTS)));
  } catch {
    // Full or forbidden: they are typed again at the next visit.
  }
  for (const listener of listeners) listener();
}

/** What is stored may be of another version or broken: only what is whole is read. */
function read(): readonly Entry[] {
  let text = '';
  try {
    text = localStorage.getItem(KEY) ?? '';
  } catch {
    // Storage may be forbidden.
  }
  if (cache.text !== text) cache = { text, entries: parseOpened(text) };
  return cache.entries;
}

/** Entries from the storage; none if it is not a list, and without invalid ones. */
export function parseOpened(text: string): readonly Entry[] {
  try {
    const values: unknown = JSON.parse(text);
    return Array.isArray(values) ? values.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(value: unknown): value is Entry {
  if (!Array.isArray(value)) return false;
  const [context, names]: unknown[] = value;
  return typeof context === 'string' && Array.isArray(names) && names.every(isName);
}

/** As the server takes it: one that is not would make it refuse all of them. */
function isName(value: unknown): boolean {
  return typeof value === 'string' && /^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/.test(value);
}
