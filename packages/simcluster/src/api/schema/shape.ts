/**
 * The structure of a value: enough to merge it, to track the owners of its fields, to check it and to read it as
 * protobuf.
 */
export type Shape = ScalarShape | AnyShape | StructShape | MapShape | ListShape;

export type Scalar =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'bytes'
  | 'quantity'
  | 'int-or-string'
  | 'time'
  | 'micro-time';

export interface ScalarShape {
  readonly kind: 'scalar';
  readonly scalar: Scalar;
}

/** Without a schema, the value itself decides: lists are replaced whole, objects are merged by field. */
export interface AnyShape {
  readonly kind: 'any';
}

export interface StructShape {
  readonly kind: 'struct';
  /** With its group, `apps.Deployment`; empty for a part of a custom resource. */
  readonly name: string;
  /** Whether it is owned and replaced as a whole. */
  readonly atomic: boolean;
  readonly fields: ReadonlyMap<string, Field>;
  /**
   * The fields of its protobuf message. An embedded type is a message there, although its fields are among the others
   * in JSON.
   */
  readonly numbered: ReadonlyMap<number, Field | StructShape>;
  /** The shape of fields other than the named ones; undefined: the type has no others. */
  readonly others?: Shape;
}

export interface MapShape {
  readonly kind: 'map';
  readonly atomic: boolean;
  readonly values: Shape;
}

export interface ListShape {
  readonly kind: 'list';
  readonly relation: 'atomic' | 'set' | 'map';
  /** For `map`: the fields that identify an item. */
  readonly keys: readonly string[];
  readonly items: Shape;
}

export interface Field {
  readonly name: string;
  /** Its number in protobuf. */
  readonly number: number;
  readonly shape: Shape;
  /** Whether it is a pointer in Go: zero and false are then written. */
  readonly pointer: boolean;
  /** Whether Go writes it even if it is empty. */
  readonly always: boolean;
  readonly defaultText?: string;
  /** How a strategic merge patch treats it; without this, the patch replaces lists. */
  readonly patch?: { readonly merge: boolean; readonly key: string; readonly retainKeys: boolean };
}

export const ANY: AnyShape = { kind: 'any' };
