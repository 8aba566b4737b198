export interface BackoffOptions {
  /** Upper end of the first wait, ms. */
  readonly firstMs: number;
  readonly maxMs: number;
  /** 0 to 1, as Math.random. */
  readonly random?: () => number;
}

/**
 * The wait before try `attempt` (0 is the first repetition): doubles each time up to `maxMs`; the upper half of it is
 * random, so that clients that failed together do not come back together.
 */
export function backoffMs(attempt: number, options: BackoffOptions): number {
  const random = options.random ?? Math.random;
  const ceiling = Math.min(options.maxMs, options.firstMs * 2 ** Math.min(attempt, 30));
  return Math.round(ceiling * (0.5 + random() / 2));
}
