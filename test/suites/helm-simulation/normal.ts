/**
 * Returns an object without parts that differ between clusters: identities, versions, times and names derived
 * from a hash.
 */
export function normal(object: unknown): unknown {
  return JSON.parse(
    JSON.stringify(object, (key, inner: unknown) => {
      if (key === 'uid' || key === 'resourceVersion') return 'N';
      if (Array.isArray(inner) && (key === 'managedFields' || key === 'conditions')) {
        return [...inner].sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
      }
      if (typeof inner !== 'string') return inner;
      if (key === 'release' || key.endsWith('edAt')) return 'CHANGES';
      if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(inner)) return 'TIME';
      return inner.replace(/"tiny-[0-9a-z]+"/, '"tiny-HASH"');
    }),
  );
}

function sortKey(entry: unknown): string {
  const { operation, manager, type } = entry as Record<string, string>;
  return `${operation} ${manager} ${type}`;
}

/**
 * Returns helm's output without times, ages and generated names; sorts the kinds of resources, which come in
 * Go's map order.
 */
export function withoutTimes(text: string): string {
  const [before = '', resources, after = ''] = text.split(/^RESOURCES:\n|(?=^NOTES:)/m);
  const kinds = (resources?.split(/(?=^==> )/m) ?? []).map((kind) => `${kind.trim()}\n`).sort();
  return [before, ...kinds, after]
    .join('')
    .replace(/\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}/g, 'TIME')
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+ \+0000 UTC/g, 'TIME')
    .replace(/tiny-[0-9a-z]{8,10}-[0-9a-z]{5}/g, 'POD')
    .replace(/\b\d+s\b/g, 'AGE')
    .replace(/ +/g, ' ');
}
