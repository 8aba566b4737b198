/** What a user at the page reads of an error; each without a full stop. */
export interface Message {
  /** What happened. */
  readonly what: string;
  /** Why, as far as is known. */
  readonly why?: string | undefined;
  /** What to do next, in the page: never a flag of the command line. */
  readonly next?: string | undefined;
}

/** One message for each code of an area: a code without a message does not compile. */
export type Messages<Codes> = { readonly [C in keyof Codes & string]: (data: Codes[C]) => Message };
