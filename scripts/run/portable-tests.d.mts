/** Returns every test beside the code, relative to the root. */
export function testsBesideCode(root: string): string[];

/** Returns those of `files` that a system without the oracles can run. */
export function portableTests(
  root: string,
  files: readonly string[],
  platform: NodeJS.Platform,
): Promise<string[]>;
