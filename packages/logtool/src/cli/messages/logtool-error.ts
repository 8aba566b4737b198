import { CodedError, type ErrorClass } from '@logtool/kube/src/values/coded-error.ts';

export interface ErrorFields {
  /** A stable, kebab-case name: `kubeconfig-not-found`, `forbidden`, `unknown-flag`. */
  readonly code: string;
  /** One line: what happened. */
  readonly what: string;
  /** One line: why, if known. */
  readonly why?: string | undefined;
  /** One line: what to do next. */
  readonly next?: string | undefined;
  readonly exit?: ErrorClass;
  readonly cause?: unknown;
}

/**
 * An error that contains its message: what happened, why, and what to do next. Only for the outermost layer.
 */
export class LogtoolError extends CodedError<string, Omit<ErrorFields, 'code' | 'exit' | 'cause'>> {
  readonly what: string;
  readonly why: string | undefined;
  readonly next: string | undefined;

  constructor({ code, exit, cause, ...fields }: ErrorFields) {
    super(code, fields, { cause, ...(exit === undefined ? {} : { exit }) });
    this.name = 'LogtoolError';
    this.message = fields.what;
    this.what = fields.what;
    this.why = fields.why;
    this.next = fields.next;
  }
}
