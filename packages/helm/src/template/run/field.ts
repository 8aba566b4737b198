import { goTypeOf, isGoObject, plain } from '../../value/type.ts';
import type { Value } from '../../value/value.ts';
import { type GoFunction, hasMethods } from '../function.ts';
import { boxed, type Held, held, Interface } from '../held.ts';
import { Nested } from '../nested.ts';
import type { Operand } from '../parse/node.ts';
import { checkCount, resultOf } from './calls.ts';
import { elementOf } from './elements.ts';
import type { Frame } from './frame.ts';

/** A field that a template names, or a method of that name. */
interface FieldQuery {
  readonly name: string;
  readonly hasArguments: boolean;
}

function typeOf(receiver: Held, inner: Value): string {
  return receiver instanceof Interface ? 'interface {}' : goTypeOf(inner);
}

/**
 * Returns the method with a name, with or without arguments; undefined if there is none. Throws ExecError for a nil
 * pointer.
 */
export function methodOf(frame: Frame, receiver: Held, name: string): GoFunction | undefined {
  const inner = held(receiver);
  if (inner === undefined) return undefined;
  if (inner === null) throw frame.error(`nil pointer evaluating ${typeOf(receiver, inner)}.${name}`);
  return isGoObject(inner) && hasMethods(inner) ? inner.method(name) : undefined;
}

/** Returns the field with a name, after `methodOf` has found no method. Throws ExecError. */
export function fieldOf(frame: Frame, receiver: Held, { name, hasArguments }: FieldQuery): Held {
  if (receiver === undefined) return undefined;
  const inner = held(receiver)!;
  const field = isGoObject(inner) ? inner.field(name) : undefined;
  if (field !== undefined) {
    if (hasArguments) throw frame.error(`${name} has arguments but cannot be invoked as function`);
    return field === null ? boxed(null) : field;
  }
  const map = plain(inner);
  if (!(map instanceof Map)) {
    throw frame.error(`can't evaluate field ${name} in type ${typeOf(receiver, inner)}`);
  }
  if (hasArguments) throw frame.error(`${name} is not a method but has arguments`);
  return elementOf(map, name);
}

/** Returns the field with a name, or the result of the method without arguments. Throws ExecError. */
export function plainFieldOf(frame: Frame, receiver: Held, name: string, node: Operand): Held {
  const called = methodOf(frame, receiver, name);
  if (called === undefined) return fieldOf(frame, receiver, { name, hasArguments: false });
  const call = { called, name, errorNode: node, operands: [], args: [] };
  checkCount(frame, call, false);
  const result = resultOf(frame, call);
  if (result instanceof Nested) throw new Error('a method runs no templates');
  return result;
}
