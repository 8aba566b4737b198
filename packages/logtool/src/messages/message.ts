/** An error as a user reads it, on a terminal or on the page. */
export interface Message extends Facts {
  /** What to do next, with the reader's own means. */
  readonly next?: string | undefined;
}

/** Facts for every reader; each is one line without a full stop, except a caret under the wrong character. */
export interface Facts {
  /** What happened. */
  readonly what: string;
  /** Why, if known. */
  readonly why?: string | undefined;
}

/** One message for each code of an area: a code without a message does not compile. */
export type Messages<Codes> = { readonly [C in keyof Codes & string]: (data: Codes[C]) => Message };

/** The facts of each code of an area: a code without them does not compile. */
export type FactsOf<Codes> = { readonly [C in keyof Codes & string]: (data: Codes[C]) => Facts };

/** What to do next, for each code; undefined: nothing. A code that a reader's table lacks does not compile. */
export type NextOf<Codes> = {
  readonly [C in keyof Codes & string]: string | undefined | ((data: Codes[C]) => string | undefined);
};

/** Combines the facts of an area with the advice for one kind of reader. */
export function withNext(
  facts: Readonly<Record<string, (data: never) => Facts>>,
  next: Readonly<Record<string, string | undefined | ((data: never) => string | undefined)>>,
): Readonly<Record<string, (data: never) => Message>> {
  return Object.fromEntries(
    Object.entries(facts).map(([code, factsOf]) => {
      const advice = next[code];
      return [
        code,
        (data: never) => ({ ...factsOf(data), next: typeof advice === 'function' ? advice(data) : advice }),
      ];
    }),
  );
}
