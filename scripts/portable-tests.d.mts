/** Every test beside the code, relative to the root. */
export function testsBesideCode(root: string): string[];

/** Of `files`, the tests that a system without the oracles can run. */
export function portableTests(
  root: string,
  files: readonly string[],
  platform: NodeJS.Platform,
): Promise<string[]>;
