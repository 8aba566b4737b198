const READERS = ['charCodeAt', 'codePointAt'] as const;

/**
 * How often characters of strings are read while something runs: an engine for regular expressions takes a
 * number of steps for each, which only the pattern bounds. Unlike time it is the same on every machine.
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
