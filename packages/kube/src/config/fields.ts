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
  const hint = typeof value === 'object' ? '' : ': put it in quotes';
  throw new InvalidField([name], `should be text, not ${kindOf(value)}${hint}`);
}

/** A boolean, false if it is absent. YAML 1.1's words count, as for kubectl. Throws InvalidField. */
export function booleanField(object: PlainObject, name: string): boolean {
  const value = field(object, name);
  if (value === undefined) return false;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'string' && /^(yes|on|y)$/i.test(value)) return true;
  if (typeof value === 'string' && /^(no|off|n)$/i.test(value)) return false;
  throw new InvalidField([name], `should be true or false, not ${kindOf(value)}`);
}

/** An object, empty if it is absent. Throws InvalidField. */
export function objectField(object: PlainObject, name: string): PlainObject {
  const value = field(object, name);
  if (value === undefined) return {};
  if (isPlainObject(value)) return value;
  throw new InvalidField([name], `should be an object, not ${kindOf(value)}`);
}

/** A list, empty if it is absent. Throws InvalidField. */
export function listField(object: PlainObject, name: string): readonly Plain[] {
  const value = field(object, name);
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw new InvalidField([name], `should be a list, not ${kindOf(value)}`);
}

/** A list of texts, empty if it is absent. Throws InvalidField. */
export function textListField(object: PlainObject, name: string): readonly string[] {
  return listField(object, name).map((item, index) => {
    if (typeof item === 'string') return item;
    throw new InvalidField([name, index], `should be text, not ${kindOf(item)}`);
  });
}

/** A list of objects, empty if it is absent. Throws InvalidField. */
export function objectListField(object: PlainObject, name: string): readonly PlainObject[] {
  return listField(object, name).map((item, index) => {
    if (isPlainObject(item)) return item;
    throw new InvalidField([name, index], `should be an object, not ${kindOf(item)}`);
  });
}

export function isPlainObject(value: Plain | undefined): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function kindOf(value: Plain): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string') return 'text';
  return typeof value === 'number' ? 'a number' : 'true or false';
}
