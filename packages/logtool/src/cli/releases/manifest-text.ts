import type { Release } from '@logtool/helm/src/release/release.ts';
import { sanitizeLines } from '../output/text-table.ts';

/**
 * Formats what `--dry-run` prints: the manifest, then the hooks, as documents of one YAML stream. A pipe gets
 * exactly the bytes that logtool would send; for a terminal, control sequences are escaped.
 */
export function manifestText({ manifest, hooks }: Release, isTTY: boolean): string {
  const documents = hooks.map(({ path, manifest: text }) => `---\n# Source: ${path}\n${text.trimEnd()}\n`);
  const text = manifest + documents.join('');
  return isTTY ? sanitizeLines(text) : text;
}
