/** The path of Bun's program, fetched from npm the first time. Throws where it cannot be had. */
export function findBun(): string;

/** Bun's version. */
export const BUN: string;
