import { LogtoolError } from '../values/errors.ts';

/** A kubeconfig that cannot be understood, with the line where that is known. */
export function invalidKubeconfig(
  file: string,
  line: number | undefined,
  why: string,
  cause?: unknown,
): LogtoolError {
  return new LogtoolError({
    code: 'kubeconfig-invalid',
    what: `kubeconfig ${file} is not valid${line === undefined ? '' : ` (line ${line})`}`,
    why,
    next: 'correct the file, or name another one with --kubeconfig',
    cause,
  });
}
