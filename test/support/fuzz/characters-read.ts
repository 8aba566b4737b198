const READERS = ['charCodeAt', 'codePointAt'] as const;

/**
 * How often characters of strings are looked at while something runs: what an engine for regular expressions does is a
 * number of steps for each, which the pattern alone bounds. Unlike time it is the same on every machine.
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
