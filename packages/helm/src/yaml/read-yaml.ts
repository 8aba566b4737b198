import { jsonKind } from '../json/read-json.ts';
import { jsonNumber, MarshalError } from '../json/write-json.ts';
import type { Value, ValueMap } from '../value/value.ts';
import { type DecodeOptions, decodeYaml } from './decode.ts';
import { stringKeyed } from './string-keys.ts';
import { YamlError } from './yaml-error.ts';

/**
 * Reads a text like sigs.k8s.io/yaml's Unmarshal into an `interface{}`: YAML 1.1 by go-yaml 2, converted to JSON, so
 * that every key is a text and every number a float64. js-yaml cannot do that: it reads `yes`, `0o7`, `1_000`, merge keys,
 * duplicate keys and tags by other rules than go-yaml 2, so the same chart would render other values than in Helm, and
 * its errors name other lines (read-yaml.parity.test.ts compares all of it with helm).
 * @throws YamlError with the messages of sigs.k8s.io/yaml.
 */
export function readYaml(text: string, options: DecodeOptions = {}): Value {
  try {
    const value = stringKeyed(decodeYaml(text, options), Number);
    refuseNoJson(value);
    return value;
  } catch (error) {
    if (!(error instanceof YamlError) && !(error instanceof MarshalError)) throw error;
    throw new YamlError(`error converting YAML to JSON: ${error.message}`, { cause: error });
  }
}

/**
 * Reads a text whose value must be a mapping, as for `fromYaml` and values files; null gives an empty one.
 * @throws YamlError with the messages of sigs.k8s.io/yaml.
 */
export function readYamlMap(text: string, options: DecodeOptions = {}): ValueMap {
  const value = readYaml(text, options) ?? new Map();
  if (value instanceof Map) return value;
  throw mismatch(value, 'map[string]interface {}');
}

/** Like `readYamlMap`, for a sequence. */
export function readYamlArray(text: string, options: DecodeOptions = {}): Value[] {
  const value = readYaml(text, options) ?? [];
  if (Array.isArray(value)) return value;
  throw mismatch(value, '[]interface {}');
}

function mismatch(value: Value, wanted: string): YamlError {
  return new YamlError(
    `error unmarshaling JSON: while decoding JSON: json: cannot unmarshal ${jsonKind(value)} into Go value of type ${wanted}`,
  );
}

/** Throws for NaN and infinities, which JSON does not have. */
function refuseNoJson(value: Value): void {
  if (typeof value === 'number') jsonNumber(value);
  else if (Array.isArray(value)) value.forEach(refuseNoJson);
  else if (value instanceof Map) for (const one of value.values()) refuseNoJson(one);
}
