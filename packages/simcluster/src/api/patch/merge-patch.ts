/** Applies a JSON Merge Patch (RFC 7386); changes neither argument. */
export function applyMergePatch(document: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return structuredClone(patch);
  const entries = new Map<string, unknown>(isObject(document) ? Object.entries(document) : []);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) entries.delete(key);
    else entries.set(key, applyMergePatch(entries.get(key), value));
  }
  return Object.fromEntries(entries);
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
