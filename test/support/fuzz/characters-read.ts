const READERS = ['charCodeAt', 'codePointAt'] as const;

/**
 * Counts how often something reads characters of strings while it runs. A regular expression engine takes a
 * number of steps for each that only the pattern bounds. Unlike time, the count is the same on every machine.
 */
export function charactersRead(run: () => void): number {
  let count = 0;
  const own = READERS.map((name) => String.prototype[name]);
  for (const name of READERS) {
    const real: (this: string, at: number) => number | undefined = String.prototype[name];
    String.prototype[name] = function (this: string, at: number) {
      count++;
      return real.call(this, at) as number;
    };
  }
  try {
    run();
  } finally {
    for (const [index, name] of READERS.entries()) String.prototype[name] = own[index] as never;
  }
  return count;
}
