/** How one field of a message becomes a field of JSON. */
export type FieldShape =
  | { readonly kind: LeafKind; readonly name: string }
  | {
      /** `inline`: Go embeds it, so that its fields are those of the message around it. */
      readonly kind: 'message' | 'messages' | 'inline';
      readonly name: string;
      readonly shape: MessageShape;
    };

type LeafKind =
  | 'text'
  | 'texts'
  | 'bytes'
  | 'number'
  | 'numbers'
  | 'boolean'
  | 'count'
  | 'flag'
  | 'time'
  | 'quantity'
  | 'int-or-text'
  | 'text-map'
  | 'bytes-map'
  | 'quantity-map'
  | 'ignored';

/** Fields by their number. */
export type MessageShape = Readonly<Record<number, FieldShape>>;

function leaf(kind: LeafKind) {
  return (name: string): FieldShape => ({ kind, name });
}

export const text = leaf('text');
export const textList = leaf('texts');
/** A pointer in Go: zero is said. */
export const number = leaf('number');
export const numberList = leaf('numbers');
/** A pointer in Go: false is said. */
export const boolean = leaf('boolean');
/** No pointer in Go: zero is the same as nothing. */
export const count = leaf('count');
/** No pointer in Go: false is the same as nothing. */
export const flag = leaf('flag');
export const time = leaf('time');
export const quantity = leaf('quantity');
export const intOrText = leaf('int-or-text');
export const textMap = leaf('text-map');
export const bytesMap = leaf('bytes-map');
export const quantityMap = leaf('quantity-map');
/** What a server does not take from a client, as the status. */
export const ignored = leaf('ignored');

export function message(name: string, shape: MessageShape): FieldShape {
  return { kind: 'message', name, shape };
}

export function messages(name: string, shape: MessageShape): FieldShape {
  return { kind: 'messages', name, shape };
}

export function inline(name: string, shape: MessageShape): FieldShape {
  return { kind: 'inline', name, shape };
}

/** Fields of text alone, numbered from one. */
export function texts(...names: readonly string[]): MessageShape {
  return Object.fromEntries(names.map((name, index) => [index + 1, text(name)]));
}
