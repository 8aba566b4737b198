import type { BinaryTarget } from './binary-targets.mjs';

/**
 * Returns the path of Bun's program for a platform (default: this machine), downloaded from npm the first time. Throws
 * if it is unavailable.
 */
export function findBun(target?: BinaryTarget): string;
