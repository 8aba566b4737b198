/**
 * Returns the sentence for a code without a text, as one line without a full stop. All tables of texts have every code of
 * their version: only a newer server sends another one.
 */
export function unknownCodeText(code: string): string {
  return `a newer server reports "${code}", which this version does not know`;
}

/**
 * Returns the same for a value whose union has no such member, at the end of an exhaustive `switch`. `tag`: the property
 * that holds the code; without it, the value is the code.
 */
export function unknownMemberText(value: never, tag?: string): string {
  return unknownCodeText(
    String(tag === undefined ? value : (value as Readonly<Record<string, unknown>>)[tag]),
  );
}

/** Returns the text of a code from a table, or the sentence for a code that the table does not have. */
export function knownText<C extends string>(texts: Readonly<Record<C, string>>, code: C): string {
  return Object.hasOwn(texts, code) ? texts[code] : unknownCodeText(code);
}
