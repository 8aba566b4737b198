/**
 * A value as Go's text/template sees it in Helm. The type distinguishes only what a template can distinguish.
 *
 * - `null`: an untyped nil; `number`: a float64, as is every number of a values file (Helm reads them through JSON);
 * - `string`: text. A byte of invalid UTF-8 (e.g. from b64dec) is the lone surrogate U+DC00 + byte, so that no byte is
 * lost on the way to b64enc; `value/bytes.ts` converts;
 * - `Value[]`: []interface{}; `ValueMap`: map[string]interface{}, a Map so that no key can reach a prototype.
 */
export type Value = null | boolean | string | number | GoInt | Value[] | ValueMap | GoObject;

/**
 * map[string]interface{}: the order has no meaning, each use sorts like Go does there. `set` and `unset` change it in
 * place.
 */
export type ValueMap = Map<string, Value>;

export type GoIntKind =
  | 'int'
  | 'int8'
  | 'int16'
  | 'int32'
  | 'int64'
  | 'uint'
  | 'uint8'
  | 'uint16'
  | 'uint32'
  | 'uint64';

/** An integer with its Go type: literals and `len` are int, `--set` and most of Sprig's arithmetic int64. */
export class GoInt {
  readonly kind: GoIntKind;
  readonly value: bigint;

  constructor(value: bigint | number, kind: GoIntKind = 'int') {
    this.value = BigInt(value);
    this.kind = kind;
  }
}

/** reflect.Kind, with the names of `kindOf`. */
export type GoKind =
  | 'invalid'
  | 'bool'
  | 'string'
  | 'float64'
  | GoIntKind
  | 'slice'
  | 'map'
  | 'struct'
  | 'ptr'
  | 'func';

/** A Go value of any other type: a struct with fields and methods, a time, an error, typed strings or maps. */
export interface GoObject {
  /** The result of `printf "%T"`: "*chart.Metadata", "time.Time". */
  readonly goType: string;
  /** Returns a field, or the result of a niladic method; undefined if there is none of this name. */
  field(name: string): Value | undefined;
  /** If absent: `ptr` if goType begins with a star, else `struct`. */
  readonly kind?: GoKind;
  /** Returns the list, map or text inside, if the Go type is a named one of these: range, len and index use it. */
  underlying?(): Value;
  /** Returns another value of this named type around a different list or map, for copies. */
  around?(inner: Value): Value;
  /** Go's `==` for a comparable struct of this type; without it, a value equals only itself. */
  equals?(other: Value): boolean;
  /** Returns the JSON that encoding/json writes. */
  json?(): string;
  /** Returns the output of `{{ . }}`, if it differs from `print`: only there does Go find a method of the pointer. */
  printed?(): string;
  /** Returns the output of `%v`. */
  toString(): string;
}
