/** A longer line is not taken apart, in UTF-16 units: that costs a frame. */
export const MAX_UNITS = 32_768;
/** Nor is one with more fields: nobody reads them in a row. */
export const MAX_FIELDS = 200;

/**
 * A range of a line as it is shown. Offsets are UTF-16 units of the line. Where `text` is not as long as the range, it
 * stands for the whole of it: an escape of JSON that was decoded, the middle of an id.
 */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A key of a line with its value. */
export interface LineField {
  /** As JSON writes it, decoded, with dots between the keys of nested objects; else as written, or a name for it. */
  readonly key: string;
  /** The value as written, decoded; of a list or a deeply nested object, its JSON. */
  readonly value: string;
  /** The value as it is shown: its pieces together; no quotes around it. */
  readonly shown: readonly Piece[];
  /** Where key and value stand in the line, quotes included. A key that the line does not write takes no room. */
  readonly start: number;
  readonly end: number;
  /** It says what went wrong: an error, an exception, a status of 500 or above. */
  readonly isError: boolean;
}

/** A line taken apart. */
export interface StructuredLine {
  /** What the line says in a sentence; none: all of it is fields. */
  readonly message: readonly Piece[];
  /** In the order in which they are shown: what went wrong first, long ones last. */
  readonly fields: readonly LineField[];
  /** Fields that columns show: the time and the level. */
  readonly hidden: readonly LineField[];
}

/** What a format finds in a line, before it is put in order. */
export interface FoundFields {
  readonly message: readonly Piece[] | undefined;
  readonly fields: readonly FoundField[];
}

export interface FoundField extends Omit<LineField, 'isError'> {
  /** A time or a level only where it stands in the outermost object. */
  readonly isNested: boolean;
}

/** The range of a line, shown as it is. */
export function pieceOf(text: string, start: number, end: number): Piece {
  return { start, end, text: text.slice(start, end) };
}

/** A field whose key is not in the line. */
export function namedField(text: string, key: string, [start, end]: readonly [number, number]): FoundField {
  return {
    key,
    value: text.slice(start, end),
    shown: [pieceOf(text, start, end)],
    start,
    end,
    isNested: false,
  };
}

/** The end of a range without the blanks before it. */
export function trimmedEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && /\s/.test(text[at - 1] ?? '')) at--;
  return at;
}
