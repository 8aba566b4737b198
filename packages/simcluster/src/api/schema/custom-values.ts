import { isObject } from '../fields/items.ts';
import { at, fields, number, text } from '../table/read.ts';

interface Cause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

/** Fills in the defaults of an openAPIV3Schema, where the object around a field is there. */
export function withCustomDefaults(schema: unknown, value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = at(schema, 'items');
    return items === undefined ? value : value.map((item) => withCustomDefaults(items, item));
  }
  if (!isObject(value)) return value;
  const entries = new Map(Object.entries(value));
  const additional = at(schema, 'additionalProperties');
  if (isObject(additional)) {
    for (const [key, inner] of entries) entries.set(key, withCustomDefaults(additional, inner));
  }
  for (const [name, property] of Object.entries(fields(at(schema, 'properties')))) {
    const initial = at(property, 'default');
    if (!entries.has(name) && initial !== undefined) entries.set(name, structuredClone(initial));
    const inner = entries.get(name);
    if (inner !== undefined) entries.set(name, withCustomDefaults(property, inner));
  }
  return Object.fromEntries(entries);
}

/** What of a custom resource does not fit its schema, in the words of k8s.io/apiextensions-apiserver. */
export async function customCauses(schema: unknown, value: unknown): Promise<readonly Cause[]> {
  const causes: Cause[] = [];
  const patterns: { readonly pattern: string; readonly value: string; readonly path: string }[] = [];
  const invalid = (path: string, shown: unknown, rule: string) =>
    causes.push({
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${JSON.stringify(shown)}: ${path} in body ${rule}`,
      field: path,
    });
  const walk = (form: unknown, inner: unknown, path: string): void => {
    if (inner === undefined || form === undefined || (inner === null && at(form, 'nullable') === true))
      return;
    const wanted = text(at(form, 'type'));
    const anyType = wanted === '' || at(form, 'x-kubernetes-int-or-string') === true;
    if (!anyType && !isOfType(wanted, inner)) {
      const got = typeName(inner);
      return void invalid(path, got, `must be of type ${wanted}: ${JSON.stringify(got)}`);
    }
    const allowed = at(form, 'enum');
    if (Array.isArray(allowed) && !allowed.includes(inner)) {
      const supported = allowed.map((one) => JSON.stringify(one)).join(', ');
      const message = `Unsupported value: ${JSON.stringify(inner)}: supported values: ${supported}`;
      causes.push({ reason: 'FieldValueNotSupported', message, field: path });
    }
    if (typeof inner === 'number') walkNumber(form, inner, path);
    else if (typeof inner === 'string') walkText(form, inner, path);
    else if (Array.isArray(inner)) walkList(form, inner, path);
    else if (isObject(inner)) walkObject(form, inner, path);
  };
  const walkNumber = (form: unknown, inner: number, path: string) => {
    const { minimum, maximum } = fields(form);
    if (maximum !== undefined && inner > number(maximum)) {
      invalid(path, inner, `should be less than or equal to ${number(maximum)}`);
    }
    if (minimum !== undefined && inner < number(minimum)) {
      invalid(path, inner, `should be greater than or equal to ${number(minimum)}`);
    }
  };
  const walkText = (form: unknown, inner: string, path: string) => {
    const { maxLength, minLength, pattern } = fields(form);
    const length = [...inner].length;
    if (maxLength !== undefined && length > number(maxLength)) {
      const message = `Too long: may not be more than ${number(maxLength)} bytes`;
      causes.push({ reason: 'FieldValueTooLong', message, field: path });
    }
    if (minLength !== undefined && length < number(minLength)) {
      invalid(path, inner, `should be at least ${number(minLength)} chars long`);
    }
    if (typeof pattern === 'string') patterns.push({ pattern, value: inner, path });
  };
  const walkList = (form: unknown, inner: readonly unknown[], path: string) => {
    const { maxItems, minItems } = fields(form);
    if (maxItems !== undefined && inner.length > number(maxItems)) {
      const message = `Too many: ${inner.length}: must have at most ${number(maxItems)} items`;
      causes.push({ reason: 'FieldValueTooMany', message, field: path });
    }
    if (minItems !== undefined && inner.length < number(minItems)) {
      invalid(path, inner.length, `should have at least ${number(minItems)} items`);
    }
    for (const [index, item] of inner.entries()) walk(at(form, 'items'), item, `${path}[${index}]`);
  };
  const walkObject = (form: unknown, inner: Readonly<Record<string, unknown>>, path: string) => {
    const { required, additionalProperties } = fields(form);
    for (const name of Array.isArray(required) ? required.map(String) : []) {
      if (Object.hasOwn(inner, name)) continue;
      causes.push({ reason: 'FieldValueRequired', message: 'Required value', field: joined(path, name) });
    }
    for (const [key, one] of Object.entries(inner)) {
      const property = at(form, 'properties', key);
      walk(
        property ?? (isObject(additionalProperties) ? additionalProperties : undefined),
        one,
        joined(path, key),
      );
    }
  };
  walk(schema, value, '');
  if (patterns.length > 0) {
    // A pattern is anybody's: matched in time that grows with the text alone.
    const { RE2JS } = await import('re2js');
    for (const { pattern, value: inner, path } of patterns) {
      if (!RE2JS.compile(pattern).matcher(inner).find()) invalid(path, inner, `should match '${pattern}'`);
    }
  }
  return causes;
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function isOfType(wanted: string, value: unknown): boolean {
  switch (wanted) {
    case 'object':
      return isObject(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === wanted;
  }
}

function typeName(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return typeof value;
}
