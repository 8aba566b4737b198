import type { GoBytes } from '../value/bytes.ts';
import type { GoInt, GoObject, Value, ValueMap } from '../value/value.ts';
import type { Interface } from './held.ts';
import type { Nested } from './nested.ts';

/**
 * What a Go type of a parameter is here. The evaluator has checked and converted the arguments before a function runs,
 * with the errors that text/template gives ("wrong type for value; expected string; got float64", "wrong number of
 * args for trunc: want 2 got 1"), so that a function only sees what its types promise.
 *
 * `interface {}` gets anything, nil as null. `reflect.Value` is for text/template's own functions: undefined is the
 * zero reflect.Value ("no value"), null a nil interface. A nil for a map is an empty map that `isNilMap` knows.
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
  /** Nothing in a template is one. */
  readonly 'io.Writer': null;
  /** Anything else that only an object of that very `goType` can be. */
  readonly [other: `*${string}` | `sprig.${string}`]: GoObject;
}

/** What a function gives: `interface {}` when its Go signature says so (it shows in the errors of `.field` on it). */
export type GoResult = keyof GoTypes | (string & {});

type Arguments<Takes extends readonly (keyof GoTypes)[]> = {
  -readonly [Index in keyof Takes]: GoTypes[Takes[Index]];
};

/** A function or method that a template can call: its Go signature, and what it does. */
export interface GoFunction {
  readonly takes: readonly (keyof GoTypes)[];
  /** The type of each further argument, of a variadic function. */
  readonly rest: keyof GoTypes | undefined;
  readonly gives: GoResult;
  /** Throws GoError for what is an error, or a panic, in Go. */
  readonly run: (
    call: FunctionCall,
    args: readonly (Value | undefined)[],
  ) => Value | undefined | Interface | Nested;
}

/**
 * A function of fixed arguments: `goFunction(['int', 'string'], 'string', (call, length, text) => ...)` for
 * `func(int, string) string`. An `(x, error)` result gives `x`; the error is thrown as a GoError.
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
    // The evaluator made these arguments for these types.
    run: (call, args) => run(call, ...(args as unknown as Arguments<Takes>)),
  };
}

/** A variadic function: `goVariadic(['string'], 'interface {}', 'string', ...)` for `func(string, ...interface{}) string`. */
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

/** The surroundings of one rendering, for functions that are not pure. */
export interface FunctionCall {
  /** The time of the rendering, in ms since the epoch: the same for all of it. */
  readonly nowMs: number;
  /** Random bytes that are fit for keys. */
  randomBytes(count: number): Uint8Array;
  /**
   * Announces work before it is done: about as many bytes of text, or elements of a list, as will be made. Call it
   * before building what arguments can make large (`repeat`, `until`, `indent`, `randAlpha`, key generation). A text
   * that a function gives is counted anyway.
   * Throws CodedError `template-limit` when the rendering has used up what it may.
   */
  charge(units: number): void;
  /** The named template, for the machine to run, as `include` does. Throws GoError. */
  include(name: string, data: Value): Nested;
  /** A text as a template, for the machine to run, as `tpl` does. Throws GoError. */
  evaluate(text: string, data: Value): Nested;
  /** Reads from the cluster, as `lookup` does. Throws GoError. */
  lookup(apiVersion: string, kind: string, namespace: string, name: string): Value;
}

/** A Go value with methods that take arguments. */
export interface GoReceiver extends GoObject {
  /** Undefined: it has no method of that name. */
  method(name: string): GoFunction | undefined;
}

export function hasMethods(value: GoObject): value is GoReceiver {
  return 'method' in value;
}

/** Functions by the name that templates call them with. */
export type FunctionTable = ReadonlyMap<string, GoFunction>;
