import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { outputOf } from './output-of.ts';

const VERSION = 'v1.33.0';

/**
 * Returns the path of the real stern, built once from its source into `.cache/`; undefined if Go is missing or cannot
 * build it.
 */
export async function sternPath(root: string): Promise<string | undefined> {
  const folder = join(root, '.cache', `stern-${VERSION}`);
  const program = join(folder, 'stern');
  if (existsSync(program)) return program;
  await mkdir(folder, { recursive: true });
  try {
    await outputOf(['go', 'install', `github.com/stern/stern@${VERSION}`], { ...process.env, GOBIN: folder });
  } catch {
    // The case reports that it could not be measured.
    return undefined;
  }
  return program;
}
