import type { FieldFault, FieldType } from '../values/problems.ts';
import { InvalidField } from './invalid-field.ts';
import type { Plain, PlainObject } from './kubeconfig.ts';

/** An own field; undefined if it is absent or null. Never what an object inherits. */
export function field(object: PlainObject, name: string): Plain | undefined {
  return Object.hasOwn(object, name) ? (object[name] ?? undefined) : undefined;
}

/** Text, '' if it is absent. Throws InvalidField. */
export function textField(object: PlainObject, name: string): string {
  const value = field(object, name);
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  throw new InvalidField([name], { ...wrongType('text', value), isUnquoted: typeof value !== 'object' });
}

/** A boolean, false if it is absent. YAML 1.1's words count, as for kubectl. Throws InvalidField. */
export function booleanField(object: PlainObject, name: string): boolean {
  const value = field(object, name);
  if (value === undefined) return false;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && /^(yes|on|y)$/i.test(value)) return true;
  if (typeof value === 'string' && /^(no|off|n)$/i.test(value)) return false;
  throw new InvalidField([name], wrongType('boolean', value));
}

/** An object, empty if it is absent. Throws InvalidField. */
export function objectField(object: PlainObject, name: string): PlainObject {
  const value = field(object, name);
  if (value === undefined) return {};
  if (isPlainObject(value)) return value;
  throw new InvalidField([name], wrongType('object', value));
}

/** A list, empty if it is absent. Throws InvalidField. */
export function listField(object: PlainObject, name: string): readonly Plain[] {
  const value = field(object, name);
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new InvalidField([name], wrongType('list', value));
}

/** A list of texts, empty if it is absent. Throws InvalidField. */
export function textListField(object: PlainObject, name: string): readonly string[] {
  return listField(object, name).map((item, index) => {
    if (typeof item === 'string') return item;
    throw new InvalidField([name, index], wrongType('text', item));
  });
}

/** A list of objects, empty if it is absent. Throws InvalidField. */
export function objectListField(object: PlainObject, name: string): readonly PlainObject[] {
  return listField(object, name).map((item, index) => {
    if (isPlainObject(item)) return item;
    throw new InvalidField([name, index], wrongType('object', item));
  });
}

export function isPlainObject(value: Plain | undefined): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fault of a value that is of another type. */
export function wrongType(expected: FieldType, value: Plain): Extract<FieldFault, { problem: 'type' }> {
  return { problem: 'type', expected, found: typeOf(value) };
}

function typeOf(value: Plain): FieldType {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'list';
  if (typeof value === 'object') return 'object';
  if (typeof value === 'string') return 'text';
  return typeof value === 'number' ? 'number' : 'boolean';
}
