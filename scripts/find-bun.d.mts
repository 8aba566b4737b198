import type { BinaryTarget } from './binary-targets.mjs';

/** The path of Bun's program for a platform (default: this machine), fetched from npm the first time. Throws where it cannot be had. */
export function findBun(target?: BinaryTarget): string;
