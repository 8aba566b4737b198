/** Helpers to read JSON of unknown shape: they treat a missing or malformed part as an empty one. */
export type Fields = Readonly<Record<string, unknown>>;

export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function array(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map(fields) : [];
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function number(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** Follows keys into an object. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let found: unknown = value;
  for (const key of path) {
    const inside = fields(found);
    if (!Object.hasOwn(inside, key)) return undefined;
    found = inside[key];
  }
  return found;
}

export function orNone(value: string): string {
  return value === '' ? '<none>' : value;
}

/** Formats labels: `a=b,c=d`, sorted. */
export function labelText(labels: unknown): string {
  return Object.entries(fields(labels))
    .map(([key, value]) => `${key}=${String(value)}`)
    .sort()
    .join(',');
}

/** Formats a LabelSelector (metav1.FormatLabelSelector). */
export function selectorText(selector: unknown): string {
  const labels = Object.entries(fields(at(selector, 'matchLabels'))).map(([key, value]) => ({
    key,
    shown: `${key}=${String(value)}`,
  }));
  const expressions = array(at(selector, 'matchExpressions')).map((expression) => {
    const key = text(expression.key);
    const values = Array.isArray(expression.values)
      ? [...expression.values].map(String).sort().join(',')
      : '';
    const operator = text(expression.operator);
    if (operator === 'In') return { key, shown: `${key} in (${values})` };
    if (operator === 'NotIn') return { key, shown: `${key} notin (${values})` };
    return { key, shown: operator === 'DoesNotExist' ? `!${key}` : key };
  });
  const all = [...labels, ...expressions].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return all.length === 0 ? '<none>' : all.map(({ shown }) => shown).join(',');
}
