/** A longer line, in UTF-16 units, is not split: that would delay a frame. */
export const MAX_UNITS = 32_768;
/** A line with more fields is not split either: nobody reads that many in a row. */
export const MAX_FIELDS = 200;

/**
 * A range of a line as shown. Offsets are UTF-16 units of the line. If `text` and the range differ in length, the text
 * stands for the whole range: a decoded JSON escape, the middle of an id.
 */
export interface Piece {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A key of a line with its value. */
export interface LineField {
  /** For JSON: decoded, with dots between the keys of nested objects; otherwise as written, or a name for it. */
  readonly key: string;
  /** The value as written, decoded; for a list or a deeply nested object, its JSON. */
  readonly value: string;
  /** The pieces of the value as shown, without quotes. */
  readonly shown: readonly Piece[];
  /** The range of key and value in the line, quotes included. A key that the line does not write takes no room. */
  readonly start: number;
  readonly end: number;
  /** It reports an error: an error, an exception, a status of 500 or above. */
  readonly isError: boolean;
}

/** A line split into fields. */
export interface StructuredLine {
  /** The line's sentence; empty: the line has only fields. */
  readonly message: readonly Piece[];
  /** In display order: errors first, long values last. */
  readonly fields: readonly LineField[];
  /** Fields that columns already show: the time and the level. */
  readonly hidden: readonly LineField[];
}

/** Fields of a line in one format, before they are ordered. */
export interface FoundFields {
  readonly message: readonly Piece[] | undefined;
  readonly fields: readonly FoundField[];
}

export interface FoundField extends Omit<LineField, 'isError'> {
  /** A time or a level is recognized only in the outermost object. */
  readonly isNested: boolean;
}

/** Returns a range of a line, shown unchanged. */
export function pieceOf(text: string, start: number, end: number): Piece {
  return { start, end, text: text.slice(start, end) };
}

/** Returns a field whose key is not in the line. */
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

/** Returns the end of a range without trailing blanks. */
export function trimmedEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && /\s/.test(text[at - 1] ?? '')) at--;
  return at;
}
