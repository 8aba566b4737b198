import { isObject } from '../fields/items.ts';
import { at, fields, number, text } from '../table/read.ts';

interface Cause {
  readonly reason: string;
  readonly message: string;
  readonly field: string;
}

/** Fills in the defaults of an openAPIV3Schema, but only in objects that exist. */
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

/** Returns where a custom resource violates its schema, with the texts of k8s.io/apiextensions-apiserver. */
export async function customCauses(schema: unknown, value: unknown): Promise<readonly Cause[]> {
  const check = new CustomCheck();
  check.value(schema, value, '');
  await check.patterns();
  return check.causes;
}

class CustomCheck {
  readonly causes: Cause[] = [];
  readonly #patterns: { readonly pattern: string; readonly value: string; readonly path: string }[] = [];

  value(form: unknown, inner: unknown, path: string): void {
    if (inner === undefined || form === undefined || (inner === null && at(form, 'nullable') === true))
      return;
    const wanted = text(at(form, 'type'));
    const anyType = wanted === '' || at(form, 'x-kubernetes-int-or-string') === true;
    if (!anyType && !isOfType(wanted, inner)) {
      const got = typeName(inner);
      this.#invalid(path, got, `must be of type ${wanted}: ${JSON.stringify(got)}`);
      return;
    }
    this.#enum(form, inner, path);
    if (typeof inner === 'number') this.#number(form, inner, path);
    else if (typeof inner === 'string') this.#text(form, inner, path);
    else if (Array.isArray(inner)) this.#list(form, inner, path);
    else if (isObject(inner)) this.#object(form, inner, path);
  }

  /** Matches patterns with RE2, whose time grows only with the text, because a pattern may be hostile. */
  async patterns(): Promise<void> {
    if (this.#patterns.length === 0) return;
    const { RE2JS } = await import('re2js');
    for (const { pattern, value, path } of this.#patterns) {
      if (!RE2JS.compile(pattern).matcher(value).find())
        this.#invalid(path, value, `should match '${pattern}'`);
    }
  }

  #invalid(path: string, shown: unknown, rule: string): void {
    const message = `Invalid value: ${JSON.stringify(shown)}: ${path} in body ${rule}`;
    this.causes.push({ reason: 'FieldValueInvalid', message, field: path });
  }

  #enum(form: unknown, inner: unknown, path: string): void {
    const allowed = at(form, 'enum');
    if (!Array.isArray(allowed) || allowed.includes(inner)) return;
    const supported = allowed.map((one) => JSON.stringify(one)).join(', ');
    const message = `Unsupported value: ${JSON.stringify(inner)}: supported values: ${supported}`;
    this.causes.push({ reason: 'FieldValueNotSupported', message, field: path });
  }

  #number(form: unknown, inner: number, path: string): void {
    const { minimum, maximum } = fields(form);
    if (maximum !== undefined && inner > number(maximum)) {
      this.#invalid(path, inner, `should be less than or equal to ${number(maximum)}`);
    }
    if (minimum !== undefined && inner < number(minimum)) {
      this.#invalid(path, inner, `should be greater than or equal to ${number(minimum)}`);
    }
  }

  #text(form: unknown, inner: string, path: string): void {
    const { maxLength, minLength, pattern } = fields(form);
    const length = [...inner].length;
    if (maxLength !== undefined && length > number(maxLength)) {
      const message = `Too long: may not be more than ${number(maxLength)} bytes`;
      this.causes.push({ reason: 'FieldValueTooLong', message, field: path });
    }
    if (minLength !== undefined && length < number(minLength)) {
      this.#invalid(path, inner, `should be at least ${number(minLength)} chars long`);
    }
    if (typeof pattern === 'string') this.#patterns.push({ pattern, value: inner, path });
  }

  #list(form: unknown, inner: readonly unknown[], path: string): void {
    const { maxItems, minItems } = fields(form);
    if (maxItems !== undefined && inner.length > number(maxItems)) {
      const message = `Too many: ${inner.length}: must have at most ${number(maxItems)} items`;
      this.causes.push({ reason: 'FieldValueTooMany', message, field: path });
    }
    if (minItems !== undefined && inner.length < number(minItems)) {
      this.#invalid(path, inner.length, `should have at least ${number(minItems)} items`);
    }
    for (const [index, item] of inner.entries()) this.value(at(form, 'items'), item, `${path}[${index}]`);
  }

  #object(form: unknown, inner: Readonly<Record<string, unknown>>, path: string): void {
    const { required, additionalProperties } = fields(form);
    for (const name of Array.isArray(required) ? required.map(String) : []) {
      if (Object.hasOwn(inner, name)) continue;
      this.causes.push({
        reason: 'FieldValueRequired',
        message: 'Required value',
        field: joined(path, name),
      });
    }
    const others = isObject(additionalProperties) ? additionalProperties : undefined;
    for (const [key, one] of Object.entries(inner)) {
      this.value(at(form, 'properties', key) ?? others, one, joined(path, key));
    }
  }
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
