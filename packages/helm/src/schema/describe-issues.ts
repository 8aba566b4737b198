import type { ErrorObject } from 'ajv';
import type { SchemaProblem } from '../failures.ts';
import { quote } from '../value/quote.ts';
import { FORMAT_PROBLEMS } from './formats.ts';

/** Maximum number of issues to list. */
const ISSUE_LIMIT = 50;

/** Returns a line for each mismatch, worded like Helm 4: `- at '/a/b': got string, want integer`. */
export function describeIssues(errors: readonly ErrorObject[]): SchemaProblem {
  const missing = new Map<string, string[]>();
  const lines = new Set<string>();
  for (const error of errors) {
    if (error.keyword === 'required') {
      const names = missing.get(error.instancePath) ?? [];
      names.push(String(error.params.missingProperty));
      missing.set(error.instancePath, names);
    } else if (error.keyword !== 'if') {
      lines.add(`- at '${error.instancePath}': ${describe(error)}`);
    }
  }
  const required = [...missing].map(([path, names]) => `- at '${path}': ${describeMissing(names)}`);
  const all = [...required, ...lines];
  const more = Math.max(0, all.length - ISSUE_LIMIT);
  return { of: 'values', lines: all.slice(0, ISSUE_LIMIT), more };
}

function describeMissing(names: readonly string[]): string {
  const quoted = [...new Set(names)].map((name) => `'${name}'`);
  return quoted.length === 1 ? `missing property ${quoted[0]}` : `missing properties ${quoted.join(', ')}`;
}

function describe({ keyword, params, data, schema, message = '' }: ErrorObject): string {
  switch (keyword) {
    case 'type':
      return `got ${typeName(data)}, want ${[schema].flat().sort().join(' or ')}`;
    case 'enum': {
      if ((schema as readonly unknown[]).some(isNested)) return "'enum' failed";
      const wanted = (schema as readonly unknown[]).map(shown);
      return wanted.length === 1 ? `value must be ${wanted[0]}` : `value must be one of ${wanted.join(', ')}`;
    }
    case 'const':
      return isNested(schema) ? "'const' failed" : `value must be ${shown(schema)}`;
    case 'pattern':
      return `${shown(data)} does not match pattern '${schema}'`;
    case 'format':
      return `${shown(data)} is not valid ${schema}: ${FORMAT_PROBLEMS.get(String(schema))?.(String(data))}`;
    case 'additionalProperties':
      return `additional properties '${params.additionalProperty}' not allowed`;
    case 'false schema':
      return 'false schema';
    case 'not':
    case 'anyOf':
      return `'${keyword}' failed`;
    case 'oneOf':
      return Array.isArray(params.passingSchemas)
        ? `'oneOf' failed, subschemas ${params.passingSchemas.join(', ')} matched`
        : "'oneOf' failed, none matched";
    case 'uniqueItems':
      return `items at ${Math.min(params.i, params.j)} and ${Math.max(params.i, params.j)} are equal`;
    default:
      return typeof schema === 'number'
        ? `${keyword}: got ${sizeOf(keyword, data)}, want ${schema}`
        : message;
  }
}

/** Returns the quantity that a limit applies to: a length, a count, or the number itself. */
function sizeOf(keyword: string, data: unknown): number {
  if (keyword.endsWith('Length')) return [...String(data)].length;
  if (Array.isArray(data)) return data.length;
  return typeof data === 'object' && data !== null ? Object.keys(data).length : Number(data);
}

/** Whether a value is an object or a list, which Helm does not show. */
function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function typeName(data: unknown): string {
  if (data === null) return 'null';
  return Array.isArray(data) ? 'array' : typeof data;
}

function shown(value: unknown): string {
  if (value === null) return '<nil>';
  if (typeof value !== 'string') return JSON.stringify(value);
  return `'${quote(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
