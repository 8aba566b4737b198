/** Returns a deep copy of JSON that the caller may change; with `shareFrozen`, it shares frozen parts. */
export function copyJson(value: unknown, shareFrozen: boolean): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (shareFrozen && Object.isFrozen(value)) return value;
  if (Array.isArray(value)) return value.map((item) => copyJson(item, shareFrozen));
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const item = copyJson((value as Record<string, unknown>)[key], shareFrozen);
    // An assignment would change the copy's prototype instead.
    if (key === '__proto__') {
      Object.defineProperty(copy, key, { value: item, enumerable: true, writable: true, configurable: true });
    } else copy[key] = item;
  }
  return copy;
}

/** Freezes a value and everything inside it; assumes that an already frozen value is deeply frozen. */
export function freezeJson<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const inner of Object.values(value)) freezeJson(inner);
  }
  return value;
}

/** Whether two JSON values are equal, in any order of keys; an undefined field equals an absent one. */
export function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, index) => sameJson(item, b[index]));
  }
  return sameFields(a as Record<string, unknown>, b as Record<string, unknown>);
}

function sameFields(
  left: Readonly<Record<string, unknown>>,
  right: Readonly<Record<string, unknown>>,
): boolean {
  const ownField = (object: Readonly<Record<string, unknown>>, key: string) =>
    Object.hasOwn(object, key) ? object[key] : undefined;
  return (
    Object.keys(left).every((key) => sameJson(left[key], ownField(right, key))) &&
    Object.keys(right).every((key) => right[key] === undefined || Object.hasOwn(left, key))
  );
}
