/** How a failed command ends: cli/exit-codes.ts has the numbers. */
export type ErrorClass = 'usage' | 'failure';

/** A stable, kebab-case code and its data, which is JSON: the source of a message, and what a page receives. */
export interface Coded<C extends string = string, D = unknown> {
  readonly code: C;
  readonly data: D;
}

/** Data of a code that needs none. */
export type NoData = Readonly<Record<string, never>>;

/** The values of a table of codes: each code with its data. */
export type CodedOf<Codes> = {
  readonly [C in keyof Codes & string]: { readonly code: C; readonly data: Codes[C] };
}[keyof Codes & string];

export interface CodedErrorOptions {
  /** Default: `failure`. */
  readonly exit?: ErrorClass;
  readonly cause?: unknown;
}

/**
 * The error of all code below the edges: a code with data. Its message is for stacks and logs; the command line and the
 * page have their own message tables (cli/messages, ui/messages).
 */
export class CodedError<C extends string = string, D = unknown> extends Error implements Coded<C, D> {
  readonly code: C;
  readonly data: D;
  readonly exit: ErrorClass;

  constructor(code: C, data: D, options: CodedErrorOptions = {}) {
    super(
      `${code} ${JSON.stringify(data)}`,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = 'CodedError';
    this.code = code;
    this.data = data;
    this.exit = options.exit ?? 'failure';
  }
}

/** Returns a function that makes the errors of one area: `const kubeFailure = failuresOf<KubeFailures>()`. */
export function failuresOf<Codes>() {
  return <C extends keyof Codes & string>(
    code: C,
    data: Codes[C],
    options?: CodedErrorOptions,
  ): CodedError<C, Codes[C]> => new CodedError(code, data, options);
}
