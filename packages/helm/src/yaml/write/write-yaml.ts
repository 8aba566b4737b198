import { MarshalError, writeJson } from '../../json/write-json.ts';
import { isNilMap } from '../../value/type.ts';
import { GoInt, type Value } from '../../value/value.ts';
import { decodeYaml } from '../decode.ts';
import { stringKeyed } from '../string-keys.ts';
import { GO_YAML_2, GO_YAML_3 } from './dialect.ts';
import { emitYaml } from './emit-yaml.ts';

/**
 * Writes a value like sigs.k8s.io/yaml's Marshal, which is the output of `toYaml` plus the last line break: Go's JSON
 * of the value, read as YAML, written by go-yaml 2.
 * @throws MarshalError if the value has no JSON form, YamlError if its JSON is not valid YAML (control characters).
 */
export function writeYaml(value: Value): string {
  const json = writeJson(value);
  const isSame = !READS_DIFFERENTLY.test(json) && !hasLongKey(value);
  return emitYaml(isSame ? throughJson(value) : throughYaml(json), GO_YAML_2);
}

/**
 * Writes a value like go-yaml 3 with an indentation of two, not through JSON: the output of `toYamlPretty` plus the
 * last line break.
 * @throws MarshalError if the value contains itself.
 */
export function writeYamlPretty(value: Value): string {
  return emitYaml(withoutObjects(value, 0), GO_YAML_3);
}

/** Deeper than anyone writes: the value contains itself, or is an attack. */
const DEPTH_LIMIT = 3000;

function withoutObjects(value: Value, depth: number): Value {
  if (depth > DEPTH_LIMIT) throw new MarshalError('yaml: exceeded max depth');
  if (Array.isArray(value)) return value.map((one) => withoutObjects(one, depth + 1));
  if (value instanceof Map)
    return new Map([...value].map(([key, one]) => [key, withoutObjects(one, depth + 1)]));
  if (value === null || typeof value !== 'object' || value instanceof GoInt) return value;
  const inner = value.json === undefined ? value.underlying?.() : undefined;
  return inner === undefined ? throughYaml(writeJson(value)) : withoutObjects(inner, depth + 1);
}

/** Matches units that YAML refuses (most control characters) or treats as a line break (NEL) in a quoted text. */
const READS_DIFFERENTLY = /[\u007f-\u009f\ufffe\uffff]/;

/** Go-yaml recognizes no key longer than 1024 characters of JSON, where each unit takes at most six. */
const LONG_KEY = 160;

function hasLongKey(value: Value): boolean {
  if (Array.isArray(value)) return value.some(hasLongKey);
  if (!(value instanceof Map)) return false;
  for (const [key, one] of value) if (key.length > LONG_KEY || hasLongKey(one)) return true;
  return false;
}

/** Converts a value as JSON and back would, without writing text. */
function throughJson(value: Value): Value {
  if (typeof value === 'string') return wellFormed(value);
  if (isNilMap(value)) return null;
  if (Array.isArray(value)) return value.map(throughJson);
  if (value instanceof Map) {
    return new Map([...value].map(([key, one]) => [wellFormed(key), throughJson(one)]));
  }
  if (value === null || typeof value !== 'object' || value instanceof GoInt) return value;
  const inner = value.json === undefined ? value.underlying?.() : undefined;
  return inner === undefined ? throughYaml(writeJson(value)) : throughJson(inner);
}

function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}

function throughYaml(json: string): Value {
  return stringKeyed(decodeYaml(json), (integer) => new GoInt(integer, 'int64'));
}
