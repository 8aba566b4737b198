/**
 * Returns the names that a user may have meant by `given`, nearest first: those that differ by a few letters
 * (Levenshtein, at most a third of its letters and never more than three), or that begin with it (`web` for
 * `web-7d9f`).
 */
export function nearNames(given: string, names: Iterable<string>, limit = 3): readonly string[] {
  const wanted = given.toLowerCase();
  const furthest = Math.min(3, Math.max(1, Math.floor(wanted.length / 3)));
  const found: { readonly name: string; readonly rank: number }[] = [];
  for (const name of new Set(names)) {
    const rank = rankOf(wanted, name.toLowerCase(), furthest);
    if (rank !== undefined) found.push({ name, rank });
  }
  found.sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1));
  return found.slice(0, limit).map((entry) => entry.name);
}

function rankOf(wanted: string, name: string, furthest: number): number | undefined {
  const away = editDistance(wanted, name, furthest);
  if (away !== undefined) return away;
  if (wanted.length >= 2 && name.startsWith(wanted)) return furthest + 1;
  if (wanted.length >= 3 && name.includes(wanted)) return furthest + 2;
  return undefined;
}

const FAR = Number.POSITIVE_INFINITY;

/**
 * Returns the number of insertions, deletions, replacements and swaps of neighboring letters between two words;
 * undefined beyond `furthest`. Skips cells of the table that are further than that from its diagonal, because no such
 * short path crosses them.
 */
export function editDistance(a: string, b: string, furthest: number): number | undefined {
  if (Math.abs(a.length - b.length) > furthest) return undefined;
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  let minOfLast = 0;
  for (let row = 1; row <= a.length; row++) {
    const current = nextRow({ a, b, row, furthest, last, beforeLast });
    const min = Math.min(row, ...current);
    // A swap spans two rows, so the row before matters too.
    if (min > furthest && minOfLast > furthest) return undefined;
    minOfLast = min;
    beforeLast = last;
    last = current;
  }
  const distance = last[b.length] ?? 0;
  return distance <= furthest ? distance : undefined;
}

interface Rows {
  readonly a: string;
  readonly b: string;
  readonly row: number;
  readonly furthest: number;
  readonly last: readonly number[];
  readonly beforeLast: readonly number[];
}

function nextRow({ a, b, row, furthest, last, beforeLast }: Rows): readonly number[] {
  const current = new Array<number>(b.length + 1).fill(FAR);
  current[0] = row;
  const end = Math.min(b.length, row + furthest);
  for (let column = Math.max(1, row - furthest); column <= end; column++) {
    const same = a[row - 1] === b[column - 1];
    const swaps = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
    current[column] = Math.min(
      (last[column] ?? FAR) + 1,
      (current[column - 1] ?? FAR) + 1,
      (last[column - 1] ?? FAR) + (same ? 0 : 1),
      swaps ? (beforeLast[column - 2] ?? FAR) + 1 : FAR,
    );
  }
  return current;
}
