import { CALL, callError } from '../../functions/go/call.ts';
import type { Value } from '../../value/value.ts';
import { GoError } from '../errors.ts';
import type { GoTypes } from '../function.ts';
import { boxed, type Held, Interface } from '../held.ts';
import { countValues, inspectsDeeply } from '../measure.ts';
import { Nested } from '../nested.ts';
import { show } from '../parse/show.ts';
import { type Converted, convertArgument } from './convert.ts';
import type { Call, Frame } from './frame.ts';

/** Throws ExecError if the function takes a different number of arguments. */
export function checkCount(frame: Frame, { called, name, operands }: Call, hasFinal: boolean): void {
  const given = Math.max(operands.length - 1, 0);
  const count = given + (hasFinal ? 1 : 0);
  const fixed = called.takes.length;
  if (called.rest !== undefined && count < fixed) {
    throw frame.error(`wrong number of args for ${name}: want at least ${fixed} got ${given}`);
  }
  if (called.rest === undefined && count !== fixed) {
    throw frame.error(`wrong number of args for ${name}: want ${fixed} got ${count}`);
  }
}

/** Returns the type of the next argument of a call. */
export function nextType({ called, args }: Call): keyof GoTypes {
  return called.takes[args.length] ?? called.rest!;
}

/** Adds the next argument to a call. Throws ExecError if its type is wrong. */
export function addArgument(frame: Frame, call: Call, value: Held): void {
  call.args.push(converted(frame, convertArgument(value, nextType(call))));
}

export function converted(frame: Frame, result: Converted): Value | undefined {
  if (typeof result === 'string') throw frame.error(result);
  return result.value;
}

/** Runs a call and returns its result. Throws ExecError. */
export function resultOf(frame: Frame, call: Call): Held | Nested {
  const { called, name, operands, args } = call;
  try {
    if (called === CALL) throw callError(operands[1] === undefined ? '' : show(operands[1]), args[0]);
    if (inspectsDeeply(name)) for (const arg of args) frame.world.charge(countValues(arg));
    const result = called.run(frame.world, args);
    if (typeof result === 'string') frame.world.charge(result.length);
    if (called.gives !== 'interface {}' || result instanceof Interface || result instanceof Nested)
      return result;
    return boxed(result ?? null);
  } catch (error) {
    throw error instanceof GoError ? callFailed(frame, call, error) : error;
  }
}

export function callFailed(frame: Frame, { name, errorNode }: Call, error: GoError): GoError {
  frame.node = errorNode;
  return frame.error(`error calling ${name}: `, error);
}
