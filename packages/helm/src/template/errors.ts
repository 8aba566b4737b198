/**
 * An error, or a panic, of a Go function. If a function throws it, it becomes
 * `template: chart/templates/x.yaml:3:5: executing "..." at <...>: error calling NAME: MESSAGE`.
 * `wrapped` is the error of Go's `%w`, whose message ends this one: Helm prints the chain.
 */
export class GoError extends Error {
  /** The message without that of the wrapped error. */
  readonly own: string;
  readonly wrapped: GoError | undefined;

  constructor(own: string, wrapped?: GoError) {
    super(own + (wrapped?.message ?? ''));
    this.name = 'GoError';
    this.own = own;
    this.wrapped = wrapped;
  }
}

/** An error while executing a template, like text/template's ExecError. */
export class ExecError extends GoError {
  constructor(own: string, wrapped?: GoError) {
    super(own, wrapped);
    this.name = 'ExecError';
  }
}

/** A template with a syntax error; the message begins with `template: NAME:LINE: `. */
export class ParseError extends GoError {
  constructor(message: string) {
    super(message);
    this.name = 'ParseError';
  }
}
