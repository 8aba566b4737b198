import { fieldElement, pathText } from '../fields/field-set.ts';
import { isObject, itemElement, MissingKey } from '../fields/items.ts';
import type { Shape } from './shape.ts';

/**
 * What is wrong with a configuration that is to be applied (structured-merge-diff's validation): undefined when it
 * fits its type, else the text of the error.
 */
export function typedError(shape: Shape, config: unknown): string | undefined {
  const errors: string[] = [];
  const report = (path: readonly string[], message: string) => {
    errors.push(path.length === 0 ? message : `${pathText(path)}: ${message}`);
  };
  const walk = (form: Shape, value: unknown, path: readonly string[]): void => {
    if (value === null || value === undefined || form.kind === 'any') return;
    switch (form.kind) {
      case 'scalar': {
        const wanted = SCALARS[form.scalar] ?? 'string';
        const got = typeof value;
        const fits = wanted === 'any' ? got !== 'object' : got === wanted;
        if (!fits) report(path, scalarMessage(wanted, value));
        return;
      }
      case 'list':
        if (!Array.isArray(value)) report(path, `expected list, got &{${goText(value)}}`);
        else if (form.relation === 'atomic') {
          for (const [index, item] of value.entries()) walk(form.items, item, [...path, `i:${index}`]);
        } else {
          const seen = new Set<string>();
          for (const [index, item] of value.entries()) {
            const element = elementOf(() => itemElement(form, item));
            if (element instanceof MissingKey) {
              report(path, `element ${index}: ${element.message}`);
              return;
            }
            if (seen.has(element)) report(path, `duplicate entries for key ${pathText([element])}`);
            seen.add(element);
            walk(form.items, item, [...path, element]);
          }
        }
        return;
      case 'map':
        if (!isObject(value)) report(path, `expected map, got &{${goText(value)}}`);
        else {
          for (const [key, inner] of Object.entries(value))
            walk(form.values, inner, [...path, fieldElement(key)]);
        }
        return;
      case 'struct':
        if (!isObject(value)) report(path, `expected map, got &{${goText(value)}}`);
        else {
          for (const [key, inner] of Object.entries(value)) {
            const here = [...path, fieldElement(key)];
            const field = form.fields.get(key);
            if (field !== undefined) walk(field.shape, inner, here);
            else if (key === 'apiVersion' || key === 'kind' || form.others !== undefined) continue;
            else {
              report(here, 'field not declared in schema');
              return;
            }
          }
        }
    }
  };
  walk(shape, config, []);
  if (errors.length <= 1) return errors[0];
  return ['errors:', ...errors.map((error) => `  ${error}`)].join('\n');
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

/** As Go prints it with %v. */
function goText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (isObject(value)) {
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return `map[${entries.map(([key, inner]) => `${key}:${goText(inner)}`).join(' ')}]`;
  }
  return String(value);
}
