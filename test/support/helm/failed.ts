import type { HelmFailures } from '@logtool/helm/src/failures.ts';
import type { ErrorClass } from '@logtool/kube/src/values/coded-error.ts';
import { expect } from 'vitest';

/** Matches an error with this code, exactly this data, and this exit. */
export function helmFailed<C extends keyof HelmFailures>(
  code: C,
  data: HelmFailures[C],
  exit: ErrorClass = 'failure',
) {
  return expect.objectContaining({ code, data, exit });
}
