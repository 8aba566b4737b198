import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file of the package; dist/ and src/ lie at different depths below it. Undefined when it is not there. */
export function findInPackage(from: string, ...parts: readonly string[]): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const path = join(folder, ...parts);
    if (existsSync(path)) return path;
    if (dirname(folder) === folder) return undefined;
  }
}
