/** Set LOGTOOL_SEED to the number in the name of a fuzz test that failed, to play its cases again. */
export const SEED = Number(process.env.LOGTOOL_SEED ?? Math.floor(Math.random() * 1e9));

/** Cases that each fuzz test tries. */
export const CASES = 10_000;

/** Parameters of fc.assert. Only time limits of the runner detect a hang. */
export const FUZZ = { seed: SEED, numRuns: CASES } as const;

/** Added to the name of a fuzz test: a hang and a crash have no counterexample. */
export const FUZZED = `${CASES} cases, LOGTOOL_SEED=${SEED}`;

/** The runner's limit for those that take longest: a machine with much else to do is no hang. */
export const HANG_MS = 900_000;
