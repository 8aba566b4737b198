import type { CodedError } from '../values/coded-error.ts';
import { kubeFailure } from '../values/failures.ts';
import type { Why } from '../values/problems.ts';

/** Makes the error for a kubeconfig that cannot be parsed or used, with the line if known. */
export function invalidKubeconfig(
  file: string,
  line: number | undefined,
  why: Why,
  cause?: unknown,
): CodedError {
  return kubeFailure('kubeconfig-invalid', { file, line, why }, { cause });
}
