import type { GoBytes } from '../value/bytes.ts';
import type { GoInt, GoObject, Value, ValueMap } from '../value/value.ts';
import type { Interface } from './held.ts';
import type { Nested } from './nested.ts';

/**
 * The TypeScript type for each Go parameter type. The evaluator checks and converts the arguments before a function
 * runs, with text/template's errors ("wrong type for value; expected string; got float64", "wrong number of args for
 * trunc: want 2 got 1"), so that a function sees only values of its types.
 *
 * `interface {}` accepts anything, nil as null. `reflect.Value` is for text/template's own functions: undefined is the
 * zero reflect.Value ("no value"), null a nil interface. A nil map is an empty map that `isNilMap` recognizes.
 */
export interface GoTypes {
  readonly 'interface {}': Value;
  readonly 'reflect.Value': Value | undefined;
  readonly string: string;
  readonly bool: boolean;
  readonly int: GoInt;
  readonly int64: GoInt;
  readonly uint32: GoInt;
  readonly float64: number;
  readonly 'map[string]interface {}': ValueMap;
  readonly '[]interface {}': Value[];
  readonly '[]string': Value[];
  readonly '[]uint8': GoBytes;
  readonly 'time.Time': GoObject;
  /** No template value has this type. */
  readonly 'io.Writer': null;
  /** Other types that only an object of exactly that `goType` has. */
  readonly [other: `*${string}` | `sprig.${string}`]: GoObject;
}

/** The result type of a function: `interface {}` if its Go signature has that (errors of `.field` on it show it). */
export type GoResult = keyof GoTypes | (string & {});

type Arguments<Takes extends readonly (keyof GoTypes)[]> = {
  -readonly [Index in keyof Takes]: GoTypes[Takes[Index]];
};

/** A function or method that templates can call: its Go signature, and its implementation. */
export interface GoFunction {
  readonly takes: readonly (keyof GoTypes)[];
  /** The type of each further argument of a variadic function. */
  readonly rest: keyof GoTypes | undefined;
  readonly gives: GoResult;
  /** Throws GoError where Go returns an error or panics. */
  readonly run: (
    call: FunctionCall,
    args: readonly (Value | undefined)[],
  ) => Value | undefined | Interface | Nested;
}

/**
 * Makes a function with fixed arguments: `goFunction(['int', 'string'], 'string', (call, length, text) => ...)` for
 * `func(int, string) string`. For an `(x, error)` result it returns `x`, and throws the error as a GoError.
 */
export function goFunction<const Takes extends readonly (keyof GoTypes)[]>(
  takes: Takes,
  gives: GoResult,
  run: (call: FunctionCall, ...args: Arguments<Takes>) => Value | undefined | Interface | Nested,
): GoFunction {
  return {
    takes,
    rest: undefined,
    gives,
    // The evaluator has converted the arguments to these types.
    run: (call, args) => run(call, ...(args as unknown as Arguments<Takes>)),
  };
}

/**
 * Makes a variadic function: `goVariadic(['string'], 'interface {}', 'string', ...)` for `func(string, ...interface{})
 * string`.
 */
export function goVariadic<const Takes extends readonly (keyof GoTypes)[], const Rest extends keyof GoTypes>(
  takes: Takes,
  rest: Rest,
  gives: GoResult,
  run: (
    call: FunctionCall,
    ...args: [...Arguments<Takes>, ...GoTypes[Rest][]]
  ) => Value | undefined | Interface,
): GoFunction {
  return {
    takes,
    rest,
    gives,
    run: (call, args) => run(call, ...(args as unknown as [...Arguments<Takes>, ...GoTypes[Rest][]])),
  };
}

/** The environment of one rendering, for functions that are not pure. */
export interface FunctionCall {
  /** The time of the rendering, in ms since the epoch; constant during it. */
  readonly nowMs: number;
  /** Returns random bytes, safe for keys. */
  randomBytes(count: number): Uint8Array;
  /**
   * Announces work before doing it: the approximate number of bytes of text, or list elements, to produce. Call it
   * before building something that arguments can make large (`repeat`, `until`, `indent`, `randAlpha`, key generation).
   * The evaluator counts the text that a function returns anyway.
   * Throws CodedError `template-limit` once the rendering has used up its budget.
   */
  charge(units: number): void;
  /** Returns a named template for the machine to run, for `include`. Throws GoError. */
  include(name: string, data: Value): Nested;
  /** Parses a text as a template for the machine to run, for `tpl`. Throws GoError. */
  evaluate(text: string, data: Value): Nested;
  /** Reads from the cluster, for `lookup`. Throws GoError. */
  lookup(apiVersion: string, kind: string, namespace: string, name: string): Value;
}

/** A Go value with methods that take arguments. */
export interface GoReceiver extends GoObject {
  /** Undefined if no method has that name. */
  method(name: string): GoFunction | undefined;
}

export function hasMethods(value: GoObject): value is GoReceiver {
  return 'method' in value;
}

/** Functions by their names in templates. */
export type FunctionTable = ReadonlyMap<string, GoFunction>;
