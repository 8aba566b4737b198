import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file of the package; dist/ and src/ lie at different depths below it. Undefined when it is not there. */
export function findInPackage(from: string, path: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, path);
    if (existsSync(found)) return found;
    if (dirname(folder) === folder) return undefined;
  }
}
