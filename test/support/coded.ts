import type { ErrorClass } from '@logtool/kube/src/values/coded-error.ts';
import type { KubeFailures } from '@logtool/kube/src/values/failures.ts';
import { expect } from 'vitest';

/** Matches an error with this code, exactly this data, and this exit. */
export function kubeFailed<C extends keyof KubeFailures>(
  code: C,
  data: KubeFailures[C],
  exit: ErrorClass = 'failure',
) {
  return expect.objectContaining({ code, data, exit });
}
