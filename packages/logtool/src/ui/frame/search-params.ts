/**
 * All view state is in the query of the URL, as plain text that users can read and change: names and values;
 * a repeated name is a list. Each route reads its own state from this and writes it back.
 */
export type SearchParams = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Reads a query, with or without its question mark. Never throws. */
export function parseSearch(text: string): SearchParams {
  // No prototype: the names are untrusted.
  const result: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(text)) {
    const before = result[name];
    if (before === undefined) result[name] = value;
    else result[name] = Array.isArray(before) ? [...before, value] : [before, value];
  }
  return result;
}

/**
 * Returns `?a=1&b=2`, or nothing if there are no parameters. Characters that are safe in a query stay
 * legible.
 */
export function formatSearch(params: Readonly<Record<string, unknown>>): string {
  const pairs: string[] = [];
  for (const [name, value] of Object.entries(params)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (typeof item === 'string') pairs.push(`${encodeQuery(name)}=${encodeQuery(item)}`);
    }
  }
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

/** Returns the first value with that name. */
export function oneOf(params: SearchParams, name: string): string | undefined {
  const value = params[name];
  return typeof value === 'string' ? value : value?.[0];
}

/** Returns all values with that name. */
export function allOf(params: SearchParams, name: string): readonly string[] {
  const value = params[name];
  return value === undefined ? [] : typeof value === 'string' ? [value] : value;
}

function encodeQuery(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'))
    .replaceAll('%3A', ':')
    .replaceAll('%2F', '/')
    .replaceAll('%2C', ',')
    .replaceAll('%40', '@')
    .replaceAll('%20', '+');
}
