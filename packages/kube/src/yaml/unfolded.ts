/**
 * Whether a value holds more than `limit` values after each alias becomes a copy, as in code that walks through it;
 * also true for a value that contains itself. A few lines of aliases of aliases can expand beyond any memory.
 */
export function unfoldsBeyond(value: unknown, limit: number): boolean {
  const pending: unknown[] = [value];
  for (let seen = 0; pending.length > 0; seen++) {
    const next = pending.pop();
    if (seen + pending.length > limit) return true;
    if (typeof next === 'object' && next !== null)
      for (const child of Object.values(next)) pending.push(child);
  }
  return false;
}
