/** The page counts down to its next connection: it waits exactly this long, ever longer while none brings anything. */
export const RECONNECT_WAITS = { waitsMs: [500, 1_000, 2_000, 3_000, 5_000] } as const;
