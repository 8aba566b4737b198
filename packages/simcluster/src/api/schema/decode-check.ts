import { isObject } from '../fields/items.ts';
import type { Scalar, Shape, StructShape } from './shape.ts';

/** What is wrong with an object of a type: fields that the type does not have, and the first value of a wrong type. */
export interface Decoded {
  /** Paths, `spec.template.spec.containers[0].imag`. */
  readonly unknown: readonly string[];
  /** In the words of Go's JSON reader. */
  readonly mismatch: string | undefined;
  /** The object without its unknown fields. */
  readonly pruned: unknown;
}

/** Types that may say their apiVersion and kind again, though they stand inside of another. */
const TYPED = ['core.PersistentVolumeClaim', 'meta.DeleteOptions'];
const HEAD = ['apiVersion', 'kind'];

/** Looks at an object as the API server does when it reads one (sigs.k8s.io/json). */
export function checkDecoding(shape: Shape, object: unknown): Decoded {
  const found = { unknown: [] as string[], mismatch: undefined as string | undefined };

  const walk = (form: Shape, value: unknown, path: string, goPath: string, holder: string): unknown => {
    if (value === null || value === undefined || form.kind === 'any') return value;
    const wrong = (type: string) => {
      found.mismatch ??= `json: cannot unmarshal ${jsonType(value)} into Go struct field ${holder}.${goPath} of type ${type}`;
      return value;
    };
    switch (form.kind) {
      case 'scalar':
        return fits(form.scalar, value) ? value : wrong(GO_TYPES[form.scalar]);
      case 'list':
        if (!Array.isArray(value)) return wrong(`[]${goType(form.items)}`);
        return value.map((item, index) => walk(form.items, item, `${path}[${index}]`, goPath, holder));
      case 'map':
        if (!isObject(value)) return wrong(`map[string]${goType(form.values)}`);
        return Object.fromEntries(
          Object.entries(value).map(([key, inner]) => [
            key,
            walk(form.values, inner, joined(path, key), goPath, holder),
          ]),
        );
      case 'struct':
        return isObject(value) ? walkStruct(form, value, path, goPath) : wrong(goType(form));
    }
  };
  const walkStruct = (
    form: StructShape,
    value: Readonly<Record<string, unknown>>,
    path: string,
    goPath: string,
  ) => {
    const name = form.name.split('.')[1] ?? '';
    const headed = path === '' || TYPED.includes(form.name);
    const kept: [string, unknown][] = [];
    for (const [key, inner] of Object.entries(value)) {
      const field = form.fields.get(key);
      const here = joined(path, key);
      if (field !== undefined) kept.push([key, walk(field.shape, inner, here, joined(goPath, key), name)]);
      else if ((headed && HEAD.includes(key)) || form.others !== undefined) kept.push([key, inner]);
      else found.unknown.push(here);
    }
    return Object.fromEntries(kept);
  };
  const pruned = walk(shape, object, '', '', '');
  return { unknown: found.unknown, mismatch: found.mismatch, pruned };
}

function joined(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

function fits(scalar: Scalar, value: unknown): boolean {
  switch (scalar) {
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'quantity':
    case 'int-or-string':
      return typeof value === 'string' || typeof value === 'number';
    default:
      return typeof value === 'string';
  }
}

const GO_TYPES: Readonly<Record<Scalar, string>> = {
  string: 'string',
  integer: 'int32',
  number: 'float64',
  boolean: 'bool',
  bytes: '[]uint8',
  quantity: 'resource.Quantity',
  'int-or-string': 'intstr.IntOrString',
  time: 'v1.Time',
  'micro-time': 'v1.MicroTime',
};

function goType(shape: Shape): string {
  switch (shape.kind) {
    case 'scalar':
      return GO_TYPES[shape.scalar];
    case 'list':
      return `[]${goType(shape.items)}`;
    case 'map':
      return `map[string]${goType(shape.values)}`;
    case 'struct':
      return `v1.${shape.name.split('.')[1] ?? ''}`;
    case 'any':
      return 'interface {}';
  }
}

function jsonType(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
