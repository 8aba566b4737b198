import { fieldElement, pathText } from '../fields/field-set.ts';
import { isObject, itemElement, MissingKey } from '../fields/items.ts';
import type { ListShape, ScalarShape, Shape, StructShape } from './shape.ts';

/**
 * Returns the error text for a configuration to apply (structured-merge-diff's validation); undefined if it fits its
 * type.
 */
export function typedError(shape: Shape, config: unknown): string | undefined {
  const errors = [...typeErrors(shape, config, [])].map(({ path, message }) =>
    path.length === 0 ? message : `${pathText(path)}: ${message}`,
  );
  if (errors.length <= 1) return errors[0];
  return ['errors:', ...errors.map((error) => `  ${error}`)].join('\n');
}

interface Mismatch {
  readonly path: readonly string[];
  readonly message: string;
}

type Mismatches = Generator<Mismatch, void>;

function* typeErrors(form: Shape, value: unknown, path: readonly string[]): Mismatches {
  if (value === null || value === undefined) return;
  switch (form.kind) {
    case 'any':
      return;
    case 'scalar':
      yield* scalarErrors(form, value, path);
      return;
    case 'list':
      if (!Array.isArray(value)) yield { path, message: `expected list, got &{${goText(value)}}` };
      else if (form.relation === 'atomic') yield* itemErrors(form, value, path);
      else yield* keyedErrors(form, value, path);
      return;
    case 'map':
      if (!isObject(value)) yield { path, message: `expected map, got &{${goText(value)}}` };
      else {
        for (const [key, inner] of Object.entries(value))
          yield* typeErrors(form.values, inner, [...path, fieldElement(key)]);
      }
      return;
    case 'struct':
      if (!isObject(value)) yield { path, message: `expected map, got &{${goText(value)}}` };
      else yield* fieldErrors(form, value, path);
      return;
    default:
      form satisfies never;
  }
}

function* scalarErrors({ scalar }: ScalarShape, value: unknown, path: readonly string[]): Mismatches {
  const wanted = SCALARS[scalar] ?? 'string';
  const got = typeof value;
  const fits = wanted === 'any' ? got !== 'object' : got === wanted;
  if (!fits) yield { path, message: scalarMessage(wanted, value) };
}

function* itemErrors(form: ListShape, list: readonly unknown[], path: readonly string[]): Mismatches {
  for (const [index, item] of list.entries()) yield* typeErrors(form.items, item, [...path, `i:${index}`]);
}

/** Checks a set, or a list with keys; the first item without its key ends the check of the list. */
function* keyedErrors(form: ListShape, list: readonly unknown[], path: readonly string[]): Mismatches {
  const seen = new Set<string>();
  for (const [index, item] of list.entries()) {
    const element = elementOf(() => itemElement(form, item));
    if (element instanceof MissingKey) {
      yield { path, message: `element ${index}: ${element.message}` };
      return;
    }
    if (seen.has(element)) yield { path, message: `duplicate entries for key ${pathText([element])}` };
    seen.add(element);
    yield* typeErrors(form.items, item, [...path, element]);
  }
}

/** Checks an object; the first field that the type lacks ends the check. */
function* fieldErrors(
  form: StructShape,
  object: Readonly<Record<string, unknown>>,
  path: readonly string[],
): Mismatches {
  for (const [key, inner] of Object.entries(object)) {
    const here = [...path, fieldElement(key)];
    const field = form.fields.get(key);
    if (field !== undefined) yield* typeErrors(field.shape, inner, here);
    else if (key !== 'apiVersion' && key !== 'kind' && form.others === undefined) {
      yield { path: here, message: 'field not declared in schema' };
      return;
    }
  }
}

function elementOf(make: () => string): string | MissingKey {
  try {
    return make();
  } catch (error) {
    if (error instanceof MissingKey) return error;
    throw error;
  }
}

const SCALARS: Readonly<Record<string, 'number' | 'boolean' | 'any'>> = {
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  quantity: 'any',
  'int-or-string': 'any',
};

function scalarMessage(wanted: 'number' | 'boolean' | 'any' | 'string', value: unknown): string {
  switch (wanted) {
    case 'number':
      return `expected numeric (int or float), got ${typeof value === 'boolean' ? 'bool' : typeof value === 'object' ? 'map[string]interface {}' : typeof value}`;
    case 'boolean':
      return `expected boolean, got &{${goText(value)}}`;
    case 'any':
      return `expected any scalar, got &{${goText(value)}}`;
    case 'string':
      return `expected string, got &value.valueUnstructured{Value:${JSON.stringify(value)}}`;
  }
}

/** Formats a value as Go's %v does. */
function goText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (isObject(value)) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `map[${entries.map(([key, inner]) => `${key}:${goText(inner)}`).join(' ')}]`;
  }
  return String(value);
}
