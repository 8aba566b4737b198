type Value = string | boolean | null | readonly Value[] | { readonly [key: string]: Value };

/** Strings and numbers of JSON, so that digits within a string are not treated as a number. */
const SCALARS = /"(?:\\.|[^"\\])*"|-?\d[\d.eE+-]*/g;
/** Marks a number that is kept as text: parsing it would round it. */
const NUMBER = '\0';

/**
 * A value of a message that is a JSON object, as text: strings without quotes and on one line, numbers with all their
 * digits, lists and objects as JSON. Undefined if the message is none, or has no such value.
 */
export function jsonValueText(message: string, path: readonly string[]): string | undefined {
  if (!message.trimStart().startsWith('{')) return undefined;
  let value: Value | undefined;
  try {
    value = JSON.parse(
      message.replaceAll(SCALARS, (scalar) => (scalar.startsWith('"') ? scalar : `"\\u0000${scalar}"`)),
    );
  } catch {
    return undefined;
  }
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Readonly<Record<string, Value>>)[key];
  }
  if (value === undefined) return undefined;
  if (typeof value === 'string')
    return value.startsWith(NUMBER) ? value.slice(1) : value.replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return JSON.stringify(value).replaceAll(/"\\u0000([^"]*)"/g, '$1');
}
