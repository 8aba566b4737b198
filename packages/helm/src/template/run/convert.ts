import { goTypeOf, isGoObject, nilMap, typed } from '../../value/type.ts';
import { GoInt, type Value } from '../../value/value.ts';
import type { GoTypes } from '../function.ts';
import { type Held, Interface } from '../held.ts';
import type { NumberNode, Operand } from '../parse/node.ts';
import { show } from '../parse/show.ts';

/** The argument that a function of a parameter's type gets; a string is the text of the error. */
export type Converted = { readonly value: Value | undefined } | string;

/** Whether nil can be given for the type. */
function canBeNil(type: keyof GoTypes): boolean {
  return /^(interface|map\[|\[\]|\*|reflect\.Value$)/.test(type);
}

/** The zero of a type that can be nil. */
function nilOf(type: keyof GoTypes): Value | undefined {
  if (type === 'reflect.Value') return undefined;
  if (type.startsWith('map[')) return nilMap();
  return type.startsWith('[]') ? typed([], type) : null;
}

/** What becomes of a value as an argument: the rules of reflect's AssignableTo as text/template uses them. */
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

/** A named type goes where its underlying type is asked for, and a pointer where what it points to is. */
function assignedTo(value: Value, actual: string, type: keyof GoTypes): Value | undefined {
  if (actual === `*${type}`) return value;
  // A []byte is a type without a name: it is not treated as a string.
  if (!isGoObject(value) || actual.startsWith('[')) return undefined;
  const inner = value.underlying?.();
  return inner !== undefined && goTypeOf(inner) === type ? inner : undefined;
}

/** What `nil` is as an argument. */
export function convertNil(type: keyof GoTypes): Converted {
  return canBeNil(type) ? { value: nilOf(type) } : `cannot assign nil to ${type}`;
}

type Constant = Exclude<
  Operand,
  { kind: 'pipe' | 'identifier' | 'field' | 'variable' | 'chain' | 'dot' | 'nil' }
>;

/** Of each type that takes only some constants: which, by the name that errors have for them, and as what. */
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

/** What a constant of the template is as an argument. */
export function convertConstant(node: Constant, type: keyof GoTypes): Converted {
  if (type === 'interface {}' || type === 'reflect.Value')
    return node.kind === 'number' ? idealNumber(node) : { value: node.value };
  const rule = CONSTANTS[type];
  if (rule === undefined) return `can't handle ${show(node)} for arg of type ${type}`;
  const value = rule.take(node);
  return value === undefined ? `expected ${rule.expects}; found ${show(node)}` : { value };
}

/** A number without a given type: an int, unless it is written as a float. */
export function idealNumber(node: NumberNode): Converted {
  const { literal } = node;
  const isHex = /^0[xX]/.test(literal) && !/[pP]/.test(literal);
  if (node.float !== undefined && !isHex && literal[0] !== "'" && /[.eEpP]/.test(literal)) {
    return { value: node.float };
  }
  return node.int === undefined ? `${literal} overflows int` : { value: new GoInt(node.int) };
}
