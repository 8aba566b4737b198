/** `a, b, c and 97 more`: the first names, and how many there are beside them. */
export function namesText(names: readonly string[], max: number): string {
  const more = names.length - max;
  return names.slice(0, max).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
