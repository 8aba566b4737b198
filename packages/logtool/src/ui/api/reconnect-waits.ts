/**
 * The page counts down to its next connection attempt, so waits are exact. They grow while connections
 * deliver nothing.
 */
export const RECONNECT_WAITS = { waitsMs: [500, 1_000, 2_000, 3_000, 5_000] } as const;
