/**
 * Returns groups of files that import each other, directly or indirectly, by Tarjan's algorithm
 * (https://doi.org/10.1137/0201010). Sorts the groups, and the files of each group.
 */
export function cyclesOf(imports: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const cycles: string[][] = [];
  const indexes = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];

  /** Returns the lowest index that leads to the file; undefined for one of a finished group. */
  const reach = (file: string): number | undefined => {
    if (!indexes.has(file)) return visit(file);
    return stack.includes(file) ? indexes.get(file) : undefined;
  };
  const visit = (file: string): number => {
    const index = indexes.size;
    indexes.set(file, index);
    lowest.set(file, index);
    stack.push(file);
    const inside = (imports.get(file) ?? []).filter((next) => imports.has(next));
    for (const next of inside) lowest.set(file, Math.min(lowest.get(file) ?? index, reach(next) ?? index));
    if (lowest.get(file) === index) {
      const group = stack.splice(stack.indexOf(file));
      if (group.length > 1) cycles.push(group.sort());
    }
    return lowest.get(file) ?? index;
  };
  for (const file of imports.keys()) if (!indexes.has(file)) visit(file);
  return cycles.sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
}
