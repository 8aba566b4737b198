import type { Value, ValueMap } from '../value/value.ts';
import { yamlFloat } from './go-float.ts';
import { goSyntax } from './go-syntax.ts';
import type { YamlValue } from './resolve.ts';
import { YamlError } from './yaml-error.ts';

/**
 * Converts a YAML value for JSON: makes every key a text. If keys become equal, the last one stays.
 * @throws YamlError for a key that is null or an integer that is too large.
 */
export function stringKeyed(value: YamlValue, integer: (value: bigint) => Value): Value {
  if (typeof value === 'bigint') return integer(value);
  if (Array.isArray(value)) return value.map((one) => stringKeyed(one, integer));
  if (!(value instanceof Map)) return value;
  const map: ValueMap = new Map();
  for (const [key, one] of value) map.set(keyText(key, one), stringKeyed(one, integer));
  return map;
}

const MAX_INT64 = 2n ** 63n - 1n;

function keyText(key: YamlValue, value: YamlValue): string {
  if (typeof key === 'string') return key;
  if (typeof key === 'boolean') return String(key);
  if (typeof key === 'number') return yamlFloat(key, 32);
  if (typeof key === 'bigint' && key <= MAX_INT64) return String(key);
  const type = key === null ? '%!s(<nil>)' : 'uint64';
  const shown = key === null ? '<nil>' : `0x${(key as bigint).toString(16)}`;
  throw new YamlError(`unsupported map key of type: ${type}, key: ${shown}, value: ${goSyntax(value)}`);
}
