/**
 * A value as Go's text/template sees it inside Helm. This type distinguishes only what a template can
 * distinguish.
 *
 * - `null`: an untyped nil; `number`: a float64, which every number of a values file is (Helm reads them
 * through JSON);
 * - `string`: text. A byte that is no UTF-8 (b64dec of anything) is the lone surrogate U+DC00 + byte, so that
 * no byte is lost on the way to b64enc; `value/bytes.ts` converts;
 * - `Value[]`: []interface{}; `ValueMap`: map[string]interface{}, a Map so that no key can reach a prototype.
 */
export type Value = null | boolean | string | number | GoInt | Value[] | ValueMap | GoObject;

/** map[string]interface{}: order means nothing, each use sorts as Go does there. Changed in place by `set` and `unset`. */
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

/** reflect.Kind, as `kindOf` names it. */
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

/** A Go value that is neither of the above: a struct with fields and methods, a time, an error, typed strings or maps. */
export interface GoObject {
  /** As `printf "%T"` says it: "*chart.Metadata", "time.Time". */
  readonly goType: string;
  /** A field or a niladic method's answer; undefined: there is none of this name. */
  field(name: string): Value | undefined;
  /** `ptr` when goType begins with a star, else `struct`, when absent. */
  readonly kind?: GoKind;
  /** The list, map or text inside, when the Go type is a named one of these: what range, len and index see. */
  underlying?(): Value;
  /** Another of this named type around another list or map, for a copy. */
  around?(inner: Value): Value;
  /** Go's `==` for another of the type, for a comparable struct; else it equals only itself. */
  equals?(other: Value): boolean;
  /** As encoding/json writes it. */
  json?(): string;
  /** As `{{ . }}` prints it, when that is not how `print` does: Go finds a method of its pointer there only. */
  printed?(): string;
  /** As `%v` prints it. */
  toString(): string;
}
