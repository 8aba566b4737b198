import type { CodedError } from '../values/coded-error.ts';
import { kubeFailure } from '../values/failures.ts';
import type { Why } from '../values/problems.ts';

/** A kubeconfig that cannot be understood, with the line where that is known. */
export function invalidKubeconfig(
  file: string,
  line: number | undefined,
  why: Why,
  cause?: unknown,
): CodedError {
  return kubeFailure('kubeconfig-invalid', { file, line, why }, { cause });
}
