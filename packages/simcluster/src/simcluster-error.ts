import { CodedError, type CodedErrorOptions } from '@logtool/kube/src/values/coded-error.ts';

/** A problem, for the author of a test or a scenario. */
export interface Problem {
  /** What happened. */
  readonly what: string;
  /** Why, if known. */
  readonly why?: string;
  /** What to do next. */
  readonly next?: string;
}

/** Mistakes in a test, a scenario or a call of the control endpoint. */
export interface SimClusterFailures {
  'bad-arguments': Problem;
  'body-invalid': Problem;
  'call-invalid': Problem;
  'event-invalid': Problem;
  'fault-invalid': Problem;
  'scenario-invalid': Problem;
  /** A user, context or rule that the cluster does not have. */
  'control-target-missing': Problem;
  /** A pod, workload, container or node that does not exist at the time of an event. */
  'event-target-missing': Problem;
}

/** A mistake in a test, a scenario or a call. Its message reports what happened, why, and what to do next. */
export class SimClusterError extends CodedError<keyof SimClusterFailures, Problem> {
  readonly what: string;
  readonly why: string | undefined;
  readonly next: string | undefined;

  constructor(code: keyof SimClusterFailures, problem: Problem, options: CodedErrorOptions = {}) {
    super(code, problem, options);
    this.name = 'SimClusterError';
    this.what = problem.what;
    this.why = problem.why;
    this.next = problem.next;
    this.message = [this.what, this.why, this.next].filter((line) => line !== undefined).join('\n');
  }
}
