/**
 * Resolves the address of a repository file, relative to the repository's own or absolute. Keeps the query of the
 * repository's address, as Helm does, but only for its own origin, because it may hold a key.
 */
export function resolveAddress(base: URL, reference: string): string {
  if (/^[a-z][a-z0-9+.-]*:/i.test(reference)) return reference;
  const folder = new URL(base.href);
  folder.pathname = `${folder.pathname.replace(/\/$/, '')}/`;
  if (!URL.canParse(reference, folder.href)) return reference;
  const resolved = new URL(reference, folder.href);
  if (resolved.origin === base.origin) resolved.search = base.search;
  return resolved.href;
}
