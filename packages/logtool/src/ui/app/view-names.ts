/*
 * How the views of the sidebar, of the palette and of `Saved views` are named: recent ones after what they show, saved
 * ones as a person calls them.
 */

export const MAX_NAME_CHARS = 80;

/** The name of a saved view, as it was typed; undefined: that is no name yet. */
export function savedName(typed: string): string | undefined {
  const name = typed.trim();
  return name === '' ? undefined : name;
}

/** The name of a recent view, after its sources: `shop: web, db`, `shop: web, db, api and 3 more · platform: dns`. */
export function recentName(sources: readonly string[]): string {
  const parts = sources.map((source) => {
    const colon = source.indexOf(':');
    const path = source.slice(colon + 1).split('/');
    return { namespace: colon === -1 ? '' : source.slice(0, colon), name: path[1] ?? path[0] ?? source };
  });
  const byNamespace = new Map<string, string[]>();
  for (const { namespace, name } of parts) {
    byNamespace.set(namespace, [...(byNamespace.get(namespace) ?? []), name]);
  }
  return [...byNamespace]
    .map(([namespace, names]) => {
      const shown = names.slice(0, 3).join(', ') + (names.length > 3 ? ` and ${names.length - 3} more` : '');
      return namespace === '' ? shown : `${namespace}: ${shown}`;
    })
    .join(' · ');
}
