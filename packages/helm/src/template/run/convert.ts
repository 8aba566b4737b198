import { goTypeOf, isGoObject, nilMap, typed } from '../../value/type.ts';
import { GoInt, type Value } from '../../value/value.ts';
import type { GoTypes } from '../function.ts';
import { type Held, Interface } from '../held.ts';
import type { NumberNode, Operand } from '../parse/node.ts';
import { show } from '../parse/show.ts';

/** The argument converted for a parameter's type; a string is an error message. */
export type Converted = { readonly value: Value | undefined } | string;

/** Whether nil is valid for a type. */
function canBeNil(type: keyof GoTypes): boolean {
  return /^(interface|map\[|\[\]|\*|reflect\.Value$)/.test(type);
}

/** Returns the nil of a type. */
function nilOf(type: keyof GoTypes): Value | undefined {
  if (type === 'reflect.Value') return undefined;
  if (type.startsWith('map[')) return nilMap();
  return type.startsWith('[]') ? typed([], type) : null;
}

/** Converts a value to an argument, by reflect's AssignableTo as text/template applies it. */
export function convertArgument(value: Held, type: keyof GoTypes): Converted {
  if (value === undefined) {
    return canBeNil(type) ? { value: nilOf(type) } : `invalid value; expected ${type}`;
  }
  const inner = value instanceof Interface ? value.value : value;
  if (type === 'interface {}' || type === 'reflect.Value') return { value: inner };
  if (inner === null) return `wrong type for value; expected ${type}; got interface {}`;
  const actual = goTypeOf(inner);
  if (actual === type) return { value: inner };
  const assigned = assignedTo(inner, actual, type);
  return assigned === undefined
    ? `wrong type for value; expected ${type}; got ${actual}`
    : { value: assigned };
}

/** Converts a named type to its underlying type, and accepts a pointer where the type it points to is expected. */
function assignedTo(value: Value, actual: string, type: keyof GoTypes): Value | undefined {
  if (actual === `*${type}`) return value;
  // A []byte is an unnamed type, so it does not count as a string.
  if (!isGoObject(value) || actual.startsWith('[')) return undefined;
  const inner = value.underlying?.();
  return inner !== undefined && goTypeOf(inner) === type ? inner : undefined;
}

/** Converts `nil` to an argument. */
export function convertNil(type: keyof GoTypes): Converted {
  return canBeNil(type) ? { value: nilOf(type) } : `cannot assign nil to ${type}`;
}

type Constant = Exclude<
  Operand,
  { kind: 'pipe' | 'identifier' | 'field' | 'variable' | 'chain' | 'dot' | 'nil' }
>;

/** For each type that accepts only some constants: their name in errors, and the conversion. */
const CONSTANTS: Partial<
  Record<keyof GoTypes, { readonly expects: string; readonly take: (node: Constant) => Value | undefined }>
> = {
  bool: { expects: 'bool', take: (node) => (node.kind === 'bool' ? node.value : undefined) },
  string: { expects: 'string', take: (node) => (node.kind === 'string' ? node.value : undefined) },
  float64: { expects: 'float', take: (node) => (node.kind === 'number' ? node.float : undefined) },
  int: { expects: 'integer', take: (node) => integer(node, 'int') },
  int64: { expects: 'integer', take: (node) => integer(node, 'int64') },
  uint32: { expects: 'unsigned integer', take: unsigned32 },
};

function integer(node: Constant, type: 'int' | 'int64'): GoInt | undefined {
  return node.kind === 'number' && node.int !== undefined ? new GoInt(node.int, type) : undefined;
}

function unsigned32(node: Constant): GoInt | undefined {
  if (node.kind !== 'number' || node.uint === undefined) return undefined;
  return new GoInt(BigInt.asUintN(32, node.uint), 'uint32');
}

/** Converts a constant of the template to an argument. */
export function convertConstant(node: Constant, type: keyof GoTypes): Converted {
  if (type === 'interface {}' || type === 'reflect.Value')
    return node.kind === 'number' ? idealNumber(node) : { value: node.value };
  const rule = CONSTANTS[type];
  if (rule === undefined) return `can't handle ${show(node)} for arg of type ${type}`;
  const value = rule.take(node);
  return value === undefined ? `expected ${rule.expects}; found ${show(node)}` : { value };
}

/** Converts a number without a given type: to an int, unless it is written as a float. */
export function idealNumber(node: NumberNode): Converted {
  const { literal } = node;
  const isHex = /^0[xX]/.test(literal) && !/[pP]/.test(literal);
  if (node.float !== undefined && !isHex && literal[0] !== "'" && /[.eEpP]/.test(literal)) {
    return { value: node.float };
  }
  return node.int === undefined ? `${literal} overflows int` : { value: new GoInt(node.int) };
}
