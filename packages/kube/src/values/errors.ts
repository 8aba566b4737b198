/** How a failed command ends: see cli/exit-codes.ts for the numbers. */
export type ErrorClass = 'usage' | 'failure';

export interface ErrorParts {
  /** A stable, kebab-case name: `kubeconfig-not-found`, `forbidden`, `unknown-flag`. */
  readonly code: string;
  /** One line: what happened. */
  readonly what: string;
  /** One line: why, as far as is known. */
  readonly why?: string | undefined;
  /** One line: what to do next. */
  readonly next?: string | undefined;
  /** The same for somebody at the dashboard, where `next` speaks of the command line. */
  readonly nextOnPage?: string | undefined;
  readonly exit?: ErrorClass;
  readonly cause?: unknown;
}

/** The one error that is shown to people: what happened, why, and what to do next. */
export class LogtoolError extends Error {
  readonly code: string;
  readonly what: string;
  readonly why: string | undefined;
  readonly next: string | undefined;
  readonly nextOnPage: string | undefined;
  readonly exit: ErrorClass;

  constructor(parts: ErrorParts) {
    super(parts.what, parts.cause === undefined ? undefined : { cause: parts.cause });
    this.name = 'LogtoolError';
    this.code = parts.code;
    this.what = parts.what;
    this.why = parts.why;
    this.next = parts.next;
    this.nextOnPage = parts.nextOnPage;
    this.exit = parts.exit ?? 'failure';
  }
}

/** A mistake in what was typed or configured: exit code 2. */
export function usageError(parts: Omit<ErrorParts, 'exit'>): LogtoolError {
  return new LogtoolError({ ...parts, exit: 'usage' });
}
