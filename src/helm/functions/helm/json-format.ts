import { fromJsonValue } from '../../json/from-json-value.ts';
import { writeJson } from '../../json/write-json.ts';
import { nilMap } from '../../value/type.ts';
import type { Value } from '../../value/value.ts';
import type { DocumentFormat } from './documents.ts';
import { jsonProblem } from './json-problem.ts';

/** JSON as encoding/json reads and writes it. Throws Error with its messages. */
export const JSON_FORMAT: DocumentFormat = {
  write: (value) => writeJson(value),
  readMap: (text) => {
    const value = read(text);
    if (value === null) return nilMap();
    if (value instanceof Map) return value;
    throw mismatch(value, 'map[string]interface {}');
  },
  readList: (text) => {
    const value = read(text);
    if (value === null) return [];
    if (Array.isArray(value)) return value;
    throw mismatch(value, '[]interface {}');
  },
};

function read(text: string): Value {
  const problem = jsonProblem(text);
  if (problem !== undefined) throw new Error(problem);
  return fromJsonValue(JSON.parse(text));
}

function mismatch(value: Value, wanted: string): Error {
  const found = Array.isArray(value)
    ? 'array'
    : value instanceof Map
      ? 'object'
      : typeof value === 'boolean'
        ? 'bool'
        : typeof value;
  return new Error(`json: cannot unmarshal ${found} into Go value of type ${wanted}`);
}
