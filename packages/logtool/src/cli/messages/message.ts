/** What a user at a terminal reads of an error; each one line, except a caret under the wrong character. */
export interface Message {
  /** What happened. */
  readonly what: string;
  /** Why, as far as is known. */
  readonly why?: string | undefined;
  /** What to do next. */
  readonly next?: string | undefined;
}

/** One message for each code of an area: a code without a message does not compile. */
export type Messages<Codes> = { readonly [C in keyof Codes & string]: (data: Codes[C]) => Message };

/** The message of an error that another one has in its data. */
export type MessageOfFailure = (failure: Error) => Message;

/** As `Messages`, of an area whose errors have others in their data. */
export type ComposedMessages<Codes> = {
  readonly [C in keyof Codes & string]: (data: Codes[C], messageOf: MessageOfFailure) => Message;
};
