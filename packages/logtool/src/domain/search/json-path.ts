/**
 * Returns the values at a path such as `req.headers.host` or `items[0].id`. A key may itself contain dots
 * (`log.level`); in a list without an index, each item is examined.
 */
export function valuesAt(value: unknown, path: string): unknown[] {
  if (path === '') return [value];
  if (Array.isArray(value)) {
    const index = /^\[(\d+)\]\.?(.*)$/s.exec(path);
    if (index !== null) return valuesAt(value[Number(index[1])], index[2] ?? '');
    return value.flatMap((item) => valuesAt(item, path));
  }
  if (typeof value !== 'object' || value === null) return [];
  const found: unknown[] = [];
  for (let end = nextEnd(path, 0); end !== -1; end = nextEnd(path, end + 1)) {
    const key = path.slice(0, end);
    if (!Object.hasOwn(value, key)) continue;
    found.push(...valuesAt((value as Record<string, unknown>)[key], path.slice(end).replace(/^\./, '')));
  }
  return found;
}

/** Returns where a key may end: at a dot, a bracket or the end. */
function nextEnd(path: string, from: number): number {
  if (from > path.length) return -1;
  for (let at = from; at < path.length; at++) if (path[at] === '.' || path[at] === '[') return at;
  return path.length;
}

/**
 * Whether a scalar reads like the given text; a list matches by any of its items. Also compares a number as `line`
 * writes it: 1.50, or an id that exceeds the precision of JavaScript's numbers. `>100`, `<=2.5` and similar compare
 * numbers.
 */
export function readsLike(value: unknown, text: string, matchCase: boolean, line: string): boolean {
  if (Array.isArray(value)) return value.some((item) => readsLike(item, text, matchCase, line));
  if (typeof value === 'object' && value !== null) return false;
  const own = String(value);
  const compared = COMPARISON.exec(text);
  if (compared !== null && (typeof value === 'number' || DECIMAL.test(own)))
    return COMPARE[compared[1] as keyof typeof COMPARE](Number(own), Number(compared[2]));
  if (typeof value === 'number' && NUMBER.test(text) && Number(text) === value && hasNumber(line, text))
    return true;
  return own === text || (!matchCase && own.toLowerCase() === text.toLowerCase());
}

const NUMBER = /^-?\d[\d.eE+-]*$/;
/** A number as a comparison takes it. */
export const DECIMAL = /^-?\d+(?:\.\d+)?$/;
export const COMPARISON = /^(>=|<=|>|<)(-?\d+(?:\.\d+)?)$/;
const COMPARE = {
  '>': (a: number, b: number) => a > b,
  '>=': (a: number, b: number) => a >= b,
  '<': (a: number, b: number) => a < b,
  '<=': (a: number, b: number) => a <= b,
};
const IN_NUMBER = /[\d.eE+-]/;

/** Whether the number occurs in the line as written, not inside another number. */
function hasNumber(line: string, written: string): boolean {
  for (let at = line.indexOf(written); at !== -1; at = line.indexOf(written, at + 1)) {
    const isBegun = at > 0 && IN_NUMBER.test(line.charAt(at - 1));
    const goesOn = IN_NUMBER.test(line.charAt(at + written.length));
    if (!isBegun && !goesOn) return true;
  }
  return false;
}

/** Returns the paths of all scalars of an object; lists add no index. */
export function pathsOf(value: unknown, most: number): Set<string> {
  const paths = new Set<string>();
  const walk = (each: unknown, path: string, depth: number) => {
    if (paths.size >= most || depth > MAX_DEPTH) return;
    if (typeof each !== 'object' || each === null) {
      if (path !== '') paths.add(path);
      return;
    }
    for (const [childPath, child] of childrenOf(each, path)) walk(child, childPath, depth + 1);
  };
  walk(value, '', 0);
  return paths;
}

/** Returns the members of an object or a list, each with its path; only the first items of a long list. */
function childrenOf(value: object, path: string): readonly (readonly [string, unknown])[] {
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item: unknown) => [path, item]);
  return Object.entries(value).map(([key, child]) => [path === '' ? key : `${path}.${key}`, child]);
}

const MAX_DEPTH = 8;
const MAX_ITEMS = 10;
