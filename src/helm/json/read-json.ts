import type { Value, ValueMap } from '../value/value.ts';
import { expectEndOfJson, JsonSyntaxError, scanJson } from './scan-json.ts';

/**
 * Reads a text as Go's encoding/json does into an `interface{}`: every number a float64, what is no Unicode U+FFFD.
 * @throws JsonSyntaxError with Go's message.
 */
export function readJson(text: string): Value {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    expectEndOfJson(text, scanJson(text));
    throw error;
  }
  return toValue(value, text);
}

/** As `readJson`, for an object; null is an empty one. */
export function readJsonMap(text: string): ValueMap {
  const value = readJson(text) ?? new Map();
  if (value instanceof Map) return value;
  throw mismatch(value, 'map[string]interface {}');
}

/** As `readJson`, for an array; null is an empty one. */
export function readJsonArray(text: string): Value[] {
  const value = readJson(text) ?? [];
  if (Array.isArray(value)) return value;
  throw mismatch(value, '[]interface {}');
}

/** What a value is called in `json: cannot unmarshal X into Go value of type Y`. */
export function jsonKind(value: Value): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value;
}

function mismatch(value: Value, wanted: string): JsonSyntaxError {
  return new JsonSyntaxError(`json: cannot unmarshal ${jsonKind(value)} into Go value of type ${wanted}`);
}

/** Go's limit for JSON is 10,000; what is deeper than this cannot have been meant. */
const DEPTH_LIMIT = 1_000;

/** What JSON.parse gives, as templates see it. */
function toValue(value: unknown, text: string, depth = 0): Value {
  if (typeof value === 'string') return wellFormed(value);
  if (depth > DEPTH_LIMIT) throw new JsonSyntaxError('exceeded max depth');
  if (Array.isArray(value)) return value.map((one) => toValue(one, text, depth + 1));
  if (typeof value === 'object' && value !== null) {
    const map: ValueMap = new Map();
    for (const [key, one] of Object.entries(value)) map.set(wellFormed(key), toValue(one, text, depth + 1));
    return map;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw new JsonSyntaxError(
      `json: cannot unmarshal number ${tooLarge(text)} into Go value of type float64`,
    );
  }
  return value as null | boolean | number;
}

/** The first number of a text that no float64 holds, as it is written. */
function tooLarge(text: string): string {
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g)) {
    if (!part.startsWith('"') && !Number.isFinite(Number(part))) return part;
  }
  return '';
}

function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
