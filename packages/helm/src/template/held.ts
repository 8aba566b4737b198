import type { Value } from '../value/value.ts';

/** A value whose static Go type is interface{}: an element of a map or list, or what a function of that result gives. */
export class Interface {
  readonly value: Value;

  constructor(value: Value) {
    this.value = value;
  }
}

/** What a reflect.Value holds: undefined is the zero reflect.Value, which prints `<no value>`; a null is always in an Interface. */
export type Held = Value | Interface | undefined;

/** The value inside; undefined for the zero reflect.Value and null for a nil interface. */
export function held(value: Held): Value | undefined {
  return value instanceof Interface ? value.value : value;
}

/** Wraps what an `interface{}` place holds. */
export function boxed(value: Value): Interface {
  return new Interface(value);
}

/** reflect.ValueOf: what an interface{} holds, nil being no value at all. */
export function fromInterface(value: Value): Held {
  return value === null ? undefined : value;
}
