/** What the API knows of a value's form: enough to merge it, to own its fields, to check it and to read it as protobuf. */
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

/** Without a schema, the value itself decides: lists are whole, objects are merged by field. */
export interface AnyShape {
  readonly kind: 'any';
}

export interface StructShape {
  readonly kind: 'struct';
  /** With its group, `apps.Deployment`; empty for a part of a custom resource. */
  readonly name: string;
  /** Owned and replaced as a whole. */
  readonly atomic: boolean;
  readonly fields: ReadonlyMap<string, Field>;
  /** The fields of its protobuf message: an embedded type, whose fields stand among the others, is a message there. */
  readonly numbered: ReadonlyMap<number, Field | StructShape>;
  /** What fields beside the named ones are; undefined: there are none. */
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
  /** For `map`: the fields that name an item. */
  readonly keys: readonly string[];
  readonly items: Shape;
}

export interface Field {
  readonly name: string;
  /** Its number in protobuf. */
  readonly number: number;
  readonly shape: Shape;
  /** A pointer in Go: zero and false are written. */
  readonly pointer: boolean;
  /** Go writes it also when it is empty. */
  readonly always: boolean;
  readonly defaultText?: string;
  /** How a strategic merge patch takes it; without it, lists are replaced. */
  readonly patch?: { readonly merge: boolean; readonly key: string; readonly retainKeys: boolean };
}

export const ANY: AnyShape = { kind: 'any' };
