import { isObject } from '../fields/items.ts';
import type { Scalar, Shape, StructShape } from './shape.ts';

/** The faults of an object: fields that its type lacks, and the first value with a wrong type. */
export interface Decoded {
  /** Paths such as `spec.template.spec.containers[0].imag`. */
  readonly unknown: readonly string[];
  /** The error text of Go's JSON reader. */
  readonly mismatch: string | undefined;
  /** The object without its unknown fields. */
  readonly pruned: unknown;
}

/** Types that may contain apiVersion and kind even inside another object. */
const TYPED = ['core.PersistentVolumeClaim', 'meta.DeleteOptions'];
const HEAD = ['apiVersion', 'kind'];

/** Checks an object as the API server does when it decodes one (sigs.k8s.io/json). */
export function checkDecoding(shape: Shape, object: unknown): Decoded {
  const check = new DecodeCheck();
  const pruned = check.prune(shape, object, { path: '', goPath: '', holder: '' });
  return { unknown: check.unknown, mismatch: check.mismatch, pruned };
}

/** The location of a value. */
interface FieldPath {
  readonly path: string;
  /** In the form of Go's reader: without list indexes. */
  readonly goPath: string;
  /** The Go type that has the field. */
  readonly holder: string;
}

class DecodeCheck {
  readonly unknown: string[] = [];
  mismatch: string | undefined;

  prune(shape: Shape, value: unknown, at: FieldPath): unknown {
    if (value === null || value === undefined) return value;
    switch (shape.kind) {
      case 'any':
        return value;
      case 'scalar':
        return fits(shape.scalar, value) ? value : this.#mismatch(shape, value, at);
      case 'list':
        return Array.isArray(value)
          ? value.map((item, index) => this.prune(shape.items, item, { ...at, path: `${at.path}[${index}]` }))
          : this.#mismatch(shape, value, at);
      case 'map':
        return isObject(value)
          ? mapFields(value, (inner, key) =>
              this.prune(shape.values, inner, { ...at, path: joined(at.path, key) }),
            )
          : this.#mismatch(shape, value, at);
      case 'struct':
        return isObject(value) ? this.#pruneStruct(shape, value, at) : this.#mismatch(shape, value, at);
    }
  }

  #pruneStruct(shape: StructShape, value: Readonly<Record<string, unknown>>, { path, goPath }: FieldPath) {
    const holder = shape.name.split('.')[1] ?? '';
    const headed = path === '' || TYPED.includes(shape.name);
    const kept: [string, unknown][] = [];
    for (const [key, inner] of Object.entries(value)) {
      const field = shape.fields.get(key);
      const here = joined(path, key);
      if (field !== undefined)
        kept.push([key, this.prune(field.shape, inner, { path: here, goPath: joined(goPath, key), holder })]);
      else if ((headed && HEAD.includes(key)) || shape.others !== undefined) kept.push([key, inner]);
      else this.unknown.push(here);
    }
    return Object.fromEntries(kept);
  }

  /** Keeps only the first mismatch, because Go's reader reports no other. */
  #mismatch(shape: Shape, value: unknown, { goPath, holder }: FieldPath): unknown {
    this.mismatch ??= `json: cannot unmarshal ${jsonType(value)} into Go struct field ${holder}.${goPath} of type ${goTypeOfMismatch(shape)}`;
    return value;
  }
}

function mapFields(
  object: Readonly<Record<string, unknown>>,
  change: (value: unknown, key: string) => unknown,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}

function goTypeOfMismatch(shape: Shape): string {
  return shape.kind === 'map' ? `map[string]${goType(shape.values)}` : goType(shape);
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
    case 'bytes':
    case 'micro-time':
    case 'string':
    case 'time':
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
