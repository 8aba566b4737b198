import { loadAll } from 'js-yaml';

/** The lines of helm's text at which objects start, and at which they end. */
const HEADINGS = new Set(['HOOKS:', 'MANIFEST:']);
const NOTES = 'NOTES:';

/**
 * Returns the objects in the output of `install --dry-run`, including hooks: logtool prints only those, helm adds text
 * before, between and after them. Each is JSON with sorted keys.
 */
export function manifestObjects(output: string): readonly string[] {
  const lines = output.split('\n');
  const first = lines.findIndex((line) => HEADINGS.has(line));
  const last = lines.indexOf(NOTES);
  const yaml = lines
    .slice(first + 1, last < 0 ? undefined : last)
    .filter((line) => !HEADINGS.has(line))
    .join('\n');
  const objects: readonly unknown[] = loadAll(yaml);
  return objects
    .filter((object) => object !== null && object !== undefined)
    .map(withoutKeys)
    .map(canonical);
}

/** Replaces keys with their lengths: the chart generates new ones in each rendering. */
function withoutKeys(object: unknown): unknown {
  const { kind, data } = object as { readonly kind?: unknown; readonly data?: unknown };
  if (kind !== 'Secret' || typeof data !== 'object' || data === null) return object;
  const lengths = Object.entries(data).map(([key, value]) => [key, `${String(value).length} characters`]);
  return { ...(object as object), data: Object.fromEntries(lengths) };
}

/** Returns the releases in the output of `list --output json`. */
export function releaseObjects(output: string): readonly string[] {
  return (JSON.parse(output) as readonly unknown[]).map(canonical);
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, node: unknown) =>
    typeof node === 'object' && node !== null && !Array.isArray(node)
      ? Object.fromEntries(Object.entries(node).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : node,
  );
}
