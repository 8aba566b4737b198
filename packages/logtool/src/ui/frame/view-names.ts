/*
 * Names of views in the sidebar, the palette and `Saved views`: recent views are named after their content,
 * saved ones by users.
 */

export const MAX_NAME_CHARS = 80;

/** Returns the name of a saved view from typed text; undefined if it is empty. */
export function savedName(typed: string): string | undefined {
  const name = typed.trim();
  return name === '' ? undefined : name;
}

/**
 * Returns the name of a recent view from its sources: `shop: web, db`, `shop: web, db, api and 3 more ·
 * platform: dns`.
 */
export function recentName(sources: readonly string[]): string {
  const labels = sources.map((source) => {
    const colon = source.indexOf(':');
    const path = source.slice(colon + 1).split('/');
    return { namespace: colon === -1 ? '' : source.slice(0, colon), name: path[1] ?? path[0] ?? source };
  });
  const byNamespace = new Map<string, string[]>();
  for (const { namespace, name } of labels) {
    byNamespace.set(namespace, [...(byNamespace.get(namespace) ?? []), name]);
  }
  return [...byNamespace]
    .map(([namespace, names]) => {
      const shown = names.slice(0, 3).join(', ') + (names.length > 3 ? ` and ${names.length - 3} more` : '');
      return namespace === '' ? shown : `${namespace}: ${shown}`;
    })
    .join(' · ');
}
