/** A search over lines, as typed. */
export interface LineSearch {
  /** Words, `-word`, `@level:error`, `@json.path:value`, or one regular expression (RE2). */
  readonly text: string;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
  readonly regex: boolean;
}

/** A JSON field that lines must have with this value, or must not have. */
export interface FieldFilter {
  readonly path: string;
  readonly value: string;
  readonly exclude: boolean;
}

/** Bits of what is known about a line before a search. */
export const LINE_FLAGS = {
  /** The text contains an escape character. */
  escapes: 32,
  /** It begins like a JSON object. */
  json: 64,
} as const;
