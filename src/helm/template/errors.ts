/**
 * An error, or a panic, of a Go function: thrown by a function, it becomes
 * `template: chart/templates/x.yaml:3:5: executing "..." at <...>: error calling NAME: MESSAGE`.
 * `wrapped` is the error that `%w` holds: Helm prints the chain.
 */
export class GoError extends Error {
  readonly wrapped: GoError | undefined;
  constructor(message: string, wrapped?: GoError) {
    super(message);
    this.name = 'GoError';
    this.wrapped = wrapped;
  }
}

/** An error of executing a template, as text/template's ExecError. */
export class ExecError extends GoError {
  constructor(message: string, wrapped?: GoError) {
    super(message, wrapped);
    this.name = 'ExecError';
  }
}

/** A template that cannot be parsed; the message has `template: NAME:LINE: ` in front. */
export class ParseError extends GoError {
  constructor(message: string) {
    super(message);
    this.name = 'ParseError';
  }
}
