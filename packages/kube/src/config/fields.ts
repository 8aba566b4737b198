import type { FieldFault, FieldType } from '../values/problems.ts';
import { InvalidField } from './invalid-field.ts';
import type { Plain, PlainObject } from './kubeconfig.ts';

/** Returns an own field, never an inherited one; undefined if it is absent or null. */
export function field(object: PlainObject, name: string): Plain | undefined {
  return Object.hasOwn(object, name) ? (object[name] ?? undefined) : undefined;
}

/** Returns a text, '' if absent. Throws InvalidField. */
export function textField(object: PlainObject, name: string): string {
  const value = field(object, name);
  if (value === undefined) return '';
  if (typeof value === 'string') return value;
  throw new InvalidField([name], { ...wrongType('text', value), isUnquoted: typeof value !== 'object' });
}

/**
 * Returns a boolean, false if absent. Accepts YAML 1.1's words (yes, on, y...), as kubectl does. Throws InvalidField.
 */
export function booleanField(object: PlainObject, name: string): boolean {
  const value = field(object, name);
  if (value === undefined) return false;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && /^(yes|on|y)$/i.test(value)) return true;
  if (typeof value === 'string' && /^(no|off|n)$/i.test(value)) return false;
  throw new InvalidField([name], wrongType('boolean', value));
}

/** Returns an object, empty if absent. Throws InvalidField. */
export function objectField(object: PlainObject, name: string): PlainObject {
  const value = field(object, name);
  if (value === undefined) return {};
  if (isPlainObject(value)) return value;
  throw new InvalidField([name], wrongType('object', value));
}

/** Returns a list, empty if absent. Throws InvalidField. */
export function listField(object: PlainObject, name: string): readonly Plain[] {
  const value = field(object, name);
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new InvalidField([name], wrongType('list', value));
}

/** Returns a list of texts, empty if absent. Throws InvalidField. */
export function textListField(object: PlainObject, name: string): readonly string[] {
  return listField(object, name).map((item, index) => {
    if (typeof item === 'string') return item;
    throw new InvalidField([name, index], wrongType('text', item));
  });
}

/** Returns a list of objects, empty if absent. Throws InvalidField. */
export function objectListField(object: PlainObject, name: string): readonly PlainObject[] {
  return listField(object, name).map((item, index) => {
    if (isPlainObject(item)) return item;
    throw new InvalidField([name, index], wrongType('object', item));
  });
}

export function isPlainObject(value: Plain | undefined): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the fault of a value that has the wrong type. */
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
