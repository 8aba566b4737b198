const NAMES = { hit: 'hit', error: 'error', warn: 'warning' } as const;

/** What is said where no further hit, error or warning is. `searchedBackTo`: seconds since the epoch. */
export function nothingFound(
  what: keyof typeof NAMES,
  direction: 'next' | 'previous',
  searchedBackTo: number | undefined,
): string {
  const name = NAMES[what];
  if (direction === 'next') return `No ${name} further down`;
  const back =
    searchedBackTo === undefined ? '' : ` back to ${new Date(searchedBackTo * 1000).toISOString()}`;
  return `No ${name} further up${back}`;
}
