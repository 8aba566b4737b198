type Json = Readonly<Record<string, unknown>>;

/** Cuts a list or table to the other one's length: some recordings keep only the first entries. */
export function commonStart(value: Json, other: Json): Json {
  const cut = Object.entries(value).map(([key, inner]) => {
    const length = lengthOf(other[key]);
    return [key, Array.isArray(inner) && length > 0 ? inner.slice(0, length) : inner];
  });
  return Object.fromEntries(cut);
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

/** The fields that identify the entries of discovery's lists. */
const KEYS = ['resource', 'subresource', 'groupVersion', 'name', 'version'];

/**
 * Returns discovery without what only one of the servers has: the simulated one serves fewer resources and
 * has another address. Both must describe common resources identically and in the same order.
 */
export function servedByBoth(value: unknown, other: unknown): unknown {
  if (Array.isArray(value)) {
    if (!Array.isArray(other)) return value;
    return value.flatMap((entry) => {
      const twin = other.find((candidate) => identity(candidate) === identity(entry));
      return twin === undefined ? [] : [servedByBoth(entry, twin)];
    });
  }
  if (!isObject(value) || !isObject(other)) return value;
  const entries = Object.entries(value)
    .filter(([key]) => key !== 'serverAddress' && !(key === 'subresources' && other[key] === undefined))
    .map(([key, inner]) => [key, servedByBoth(inner, other[key])]);
  return Object.fromEntries(entries);
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function identity(entry: unknown): string {
  if (!isObject(entry)) return JSON.stringify(entry);
  const metadata = isObject(entry.metadata) ? entry.metadata.name : '';
  const key = KEYS.find((candidate) => typeof entry[candidate] === 'string');
  return key === undefined ? `metadata:${String(metadata)}` : `${key}:${String(entry[key])}`;
}
