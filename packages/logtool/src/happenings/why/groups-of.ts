/** Groups items by key, in the order of each group's first item. */
export function groupsOf<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
): readonly (readonly [T, ...T[]])[] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return [...groups.values()];
}

/** Maps a group, which has at least one item. */
export function mapGroup<T, R>(
  [first, ...others]: readonly [T, ...T[]],
  of: (item: T) => R,
): readonly [R, ...R[]] {
  return [of(first), ...others.map(of)];
}
