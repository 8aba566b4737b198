import type { Value } from '../value/value.ts';

/** A value whose static Go type is interface{}: an element of a map or list, or the result of such a function. */
export class Interface {
  readonly value: Value;

  constructor(value: Value) {
    this.value = value;
  }
}

/**
 * The content of a reflect.Value: undefined is the zero reflect.Value, which prints `<no value>`; a null is always in
 * an Interface.
 */
export type Held = Value | Interface | undefined;

/** Unwraps a value; undefined for the zero reflect.Value and null for a nil interface. */
export function held(value: Held): Value | undefined {
  return value instanceof Interface ? value.value : value;
}

/** Wraps a value of static type `interface{}`. */
export function boxed(value: Value): Interface {
  return new Interface(value);
}

/** reflect.ValueOf: returns the content of an interface{}; nil gives no value. */
export function fromInterface(value: Value): Held {
  return value === null ? undefined : value;
}
