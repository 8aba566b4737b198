import type { Value, ValueMap } from '../value/value.ts';
import { expectEndOfJson, JsonSyntaxError, scanJson } from './scan-json.ts';

/** A JSON text with a number beyond float64. Go keeps reading: `partial` has null in its place. */
export class JsonNumberError extends JsonSyntaxError {
  readonly partial: Value;

  constructor(text: string, partial: Value) {
    super(`json: cannot unmarshal number ${tooLarge(text)} into Go value of type float64`);
    this.partial = partial;
  }
}

/**
 * Reads a text like Go's encoding/json into an `interface{}`: every number becomes a float64, invalid Unicode U+FFFD.
 * @throws JsonSyntaxError with Go's message.
 */
export function readJson(text: string): Value {
  return complete(parse(text), text);
}

/**
 * Like `readJson`, for an object; null gives an empty one.
 * @throws JsonNumberError with the object, except numbers that are too large
 */
export function readJsonMap(text: string): ValueMap {
  const parsed = parse(text);
  const value = orEmpty(parsed, new Map());
  if (!(value instanceof Map)) throw mismatch(value, 'map[string]interface {}');
  complete(parsed, text);
  return value;
}

/** Like `readJsonMap`, for an array; null gives an empty one. */
export function readJsonArray(text: string): Value[] {
  const parsed = parse(text);
  const value = orEmpty(parsed, []);
  if (!Array.isArray(value)) throw mismatch(value, '[]interface {}');
  complete(parsed, text);
  return value;
}

interface Parsed {
  readonly value: Value;
  /** Whether all numbers fit a float64. */
  readonly isComplete: boolean;
}

function parse(text: string): Parsed {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    expectEndOfJson(text, scanJson(text));
    throw error;
  }
  const state = { isComplete: true };
  const value = toValue(parsed, state);
  return { value, isComplete: state.isComplete };
}

/** Replaces null with an empty collection, except for a single number that is too large: it has the wrong kind. */
function orEmpty({ value, isComplete }: Parsed, empty: ValueMap | Value[]): Value {
  if (value !== null) return value;
  return isComplete ? empty : Number.MAX_VALUE;
}

function complete({ value, isComplete }: Parsed, text: string): Value {
  if (!isComplete) throw new JsonNumberError(text, value);
  return value;
}

/** Returns Go's name for a value in `json: cannot unmarshal X into Go value of type Y`. */
export function jsonKind(value: Value): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value;
}

function mismatch(value: Value, wanted: string): JsonSyntaxError {
  return new JsonSyntaxError(`json: cannot unmarshal ${jsonKind(value)} into Go value of type ${wanted}`);
}

/** Go's limit for JSON is 10,000; deeper nesting than this is never intentional. */
const DEPTH_LIMIT = 1_000;

/** Converts the result of JSON.parse to template values. */
function toValue(value: unknown, state: { isComplete: boolean }, depth = 0): Value {
  if (typeof value === 'string') return wellFormed(value);
  if (depth > DEPTH_LIMIT) throw new JsonSyntaxError('exceeded max depth');
  if (Array.isArray(value)) return value.map((one) => toValue(one, state, depth + 1));
  if (typeof value === 'object' && value !== null) {
    const map: ValueMap = new Map();
    for (const [key, one] of Object.entries(value)) map.set(wellFormed(key), toValue(one, state, depth + 1));
    return map;
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    state.isComplete = false;
    return null;
  }
  return value as null | boolean | number;
}

/** Returns the first number of a text that exceeds float64, as written. */
function tooLarge(text: string): string {
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g)) {
    if (!token.startsWith('"') && !Number.isFinite(Number(token))) return token;
  }
  return '';
}

function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
