import { MarshalError, writeJson } from '../../json/write-json.ts';
import { isNilMap } from '../../value/type.ts';
import { GoInt, type Value } from '../../value/value.ts';
import { decodeYaml } from '../decode.ts';
import { stringKeyed } from '../string-keys.ts';
import { GO_YAML_2, GO_YAML_3 } from './dialect.ts';
import { emitYaml } from './emit-yaml.ts';

/**
 * A value as sigs.k8s.io/yaml's Marshal writes it, which is what `toYaml` gives but for the last line break: Go's JSON
 * of the value, read as YAML, written by go-yaml 2.
 * @throws MarshalError when the value has no JSON form, YamlError when its JSON is no YAML (control characters).
 */
export function writeYaml(value: Value): string {
  const json = writeJson(value);
  const isSame = !READS_DIFFERENTLY.test(json) && !hasLongKey(value);
  return emitYaml(isSame ? throughJson(value) : throughYaml(json), GO_YAML_2);
}

/**
 * A value as go-yaml 3 writes it with an indentation of two, not by way of JSON: what `toYamlPretty` gives but for the
 * last line break.
 * @throws MarshalError when the value contains itself.
 */
export function writeYamlPretty(value: Value): string {
  return emitYaml(withoutObjects(value, 0), GO_YAML_3);
}

/** Deeper than anything that people write: the value contains itself, or is meant to break us. */
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

/** Units that YAML refuses (most control characters) or takes for a line break (NEL) in a quoted text. */
const READS_DIFFERENTLY = /[\u007f-\u009f\ufffe\uffff]/;

/** Go-yaml finds no key beyond 1024 characters of JSON, in which each unit takes six at most. */
const LONG_KEY = 160;

function hasLongKey(value: Value): boolean {
  if (Array.isArray(value)) return value.some(hasLongKey);
  if (!(value instanceof Map)) return false;
  for (const [key, one] of value) if (key.length > LONG_KEY || hasLongKey(one)) return true;
  return false;
}

/** The value as it comes back from its JSON, without the way through text. */
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
