import { GoError } from '../../template/errors.ts';
import { goFunction, goVariadic } from '../../template/function.ts';
import { compareText } from '../../value/order.ts';
import { sprintf } from '../../value/print.ts';
import { goTypeOf, isGoObject, isNilMap, kindOf, plain } from '../../value/type.ts';
import { GoInt, type Value } from '../../value/value.ts';

type Basic = 'bool' | 'int' | 'uint' | 'float' | 'string' | 'none';

function basicKind(value: Value | undefined): Basic {
  if (value === undefined || value === null) return 'none';
  const inner = plain(value);
  if (inner instanceof GoInt) return inner.kind.startsWith('u') ? 'uint' : 'int';
  switch (typeof inner) {
    case 'boolean':
      return 'bool';
    case 'number':
      return 'float';
    case 'string':
      return 'string';
    default:
      return 'none';
  }
}

function incompatible(left: Value, right: Value): GoError {
  return new GoError(`incompatible types for comparison: ${goTypeOf(left)} and ${goTypeOf(right)}`);
}

function isInteger(kind: Basic): boolean {
  return kind === 'int' || kind === 'uint';
}

function equal(left: Value | undefined, right: Value | undefined): boolean {
  const leftKind = basicKind(left);
  const rightKind = basicKind(right);
  const isNil = (value: Value | undefined) => value === undefined || value === null || isNilMap(value);
  if (leftKind === 'none' && rightKind === 'none') return equalOthers(left, right, isNil);
  if (isInteger(leftKind) && isInteger(rightKind)) return (left as GoInt).value === (right as GoInt).value;
  if (leftKind === rightKind) return plain(left!) === plain(right!);
  if (left === undefined || left === null || right === undefined || right === null) return false;
  throw incompatible(left, right);
}

/** Compares maps, lists and structs, which are comparable only with nil, except for pointers. */
function equalOthers(
  left: Value | undefined,
  right: Value | undefined,
  isNil: (value: Value | undefined) => boolean,
): boolean {
  const absent = (value: Value | undefined): value is null | undefined =>
    value === undefined || value === null;
  if (!absent(left) && !absent(right) && kindOf(left) !== kindOf(right)) {
    throw new GoError(
      sprintf('non-comparable types %s: %v, %s: %v', [left, goTypeOf(left), goTypeOf(right), right]),
    );
  }
  if (isNil(left) || isNil(right)) return isNil(left) === isNil(right);
  const kind = kindOf(right);
  if (kind === 'map' || kind === 'slice') {
    throw new GoError(sprintf('non-comparable type %s: %v', [right!, goTypeOf(right!)]));
  }
  return left === right || (isGoObject(left) && left.equals?.(right ?? null) === true);
}

function less(left: Value | undefined, right: Value | undefined): boolean {
  const leftKind = basicKind(left);
  const rightKind = basicKind(right);
  if (leftKind === 'none' || rightKind === 'none') throw new GoError('invalid type for comparison');
  if (isInteger(leftKind) && isInteger(rightKind)) return (left as GoInt).value < (right as GoInt).value;
  if (leftKind !== rightKind) throw incompatible(left!, right!);
  if (leftKind === 'bool') throw new GoError('invalid type for comparison');
  if (leftKind === 'float') return (left as number) < (right as number);
  return compareText(plain(left!) as string, plain(right!) as string) < 0;
}

export const EQ = goVariadic(['reflect.Value'], 'reflect.Value', 'bool', (_call, first, ...others) => {
  if (others.length === 0) throw new GoError('missing argument for comparison');
  return others.some((other) => equal(first, other));
});

export const NE = goFunction(['reflect.Value', 'reflect.Value'], 'bool', (_call, a, b) => !equal(a, b));
export const LT = goFunction(['reflect.Value', 'reflect.Value'], 'bool', (_call, a, b) => less(a, b));
export const LE = goFunction(
  ['reflect.Value', 'reflect.Value'],
  'bool',
  (_call, a, b) => less(a, b) || equal(a, b),
);
export const GT = goFunction(
  ['reflect.Value', 'reflect.Value'],
  'bool',
  (_call, a, b) => !(less(a, b) || equal(a, b)),
);
export const GE = goFunction(['reflect.Value', 'reflect.Value'], 'bool', (_call, a, b) => !less(a, b));
