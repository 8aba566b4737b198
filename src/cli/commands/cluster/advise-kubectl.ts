import { LogtoolError } from '../../../domain/errors.ts';
import { quoteWord } from '../../../kube/failure/subject-text.ts';
import type { ConnectionPlan } from '../../plan/connection.ts';

/**
 * Leads the kubectl commands that an error advises to the cluster and the user of the command that failed: kubectl knows
 * neither logtool's flags nor its configuration file.
 */
export function adviseKubectl(error: LogtoolError, { kubeconfig, context }: ConnectionPlan): LogtoolError {
  const { code, what, why, next, nextOnPage, exit, cause } = error;
  const words = [
    ...(kubeconfig === undefined ? [] : ['--kubeconfig', kubeconfig]),
    ...(context === undefined || next?.includes(' --context ') === true ? [] : ['--context', context]),
  ];
  if (next === undefined || words.length === 0) return error;
  const flags = words.map(quoteWord).join(' ');
  // A function, as a path may hold what stands for a part of the match.
  const led = next.replace(/\bkubectl (?=[a-z])/g, () => `kubectl ${flags} `);
  return new LogtoolError({ code, what, why, next: led, nextOnPage, exit, cause });
}
