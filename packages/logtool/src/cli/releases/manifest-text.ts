import type { Release } from '@logtool/helm/src/release/release.ts';
import { sanitizeLines } from '../output/text-table.ts';

/**
 * What `--dry-run` prints: the manifest, then the hooks, as documents of one YAML stream. In a pipe it is byte for byte
 * what would be sent; a terminal gets nothing that it would obey.
 */
export function manifestText({ manifest, hooks }: Release, isTTY: boolean): string {
  const documents = hooks.map(({ path, manifest: text }) => `---\n# Source: ${path}\n${text.trimEnd()}\n`);
  const text = manifest + documents.join('');
  return isTTY ? sanitizeLines(text) : text;
}
