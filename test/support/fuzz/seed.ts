/** To repeat the cases of a failed fuzz test, set LOGTOOL_SEED to the number in its name. */
export const SEED = Number(process.env.LOGTOOL_SEED ?? Math.floor(Math.random() * 1e9));

/** Number of cases in each fuzz test. */
export const CASES = 10_000;

/** Parameters of fc.assert. Only the runner's time limits detect a hang. */
export const FUZZ = { seed: SEED, numRuns: CASES } as const;

/** Added to the name of a fuzz test, because a hang and a crash have no counterexample. */
export const FUZZED = `${CASES} cases, LOGTOOL_SEED=${SEED}`;

/** The runner's limit for the longest tests: a busy machine must not count as a hang. */
export const HANG_MS = 900_000;
