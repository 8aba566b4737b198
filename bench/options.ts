import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

export const USAGE = `npm run bench -- [--only PART]... [--rounds N] [--no-write] [--follow-seconds N]
                 [--kubeconfig FILE --namespace NS --pod POD --workload KIND/NAME]
                 [--kubectl FILE] [--helm FILE]`;

export interface BenchOptions {
  /** Measure only cases whose name contains one of these. Empty: all. */
  readonly only: readonly string[];
  readonly rounds: number;
  /** Whether to rewrite results.md: not for a subset of the cases. */
  readonly isWritten: boolean;
  /** An existing cluster; if omitted, a simulated one. */
  readonly foreign: ForeignCluster | undefined;
  readonly kubectl: string | undefined;
  readonly helm: string | undefined;
  /** How long to measure following at a rate. */
  readonly followSeconds: number;
}

export interface ForeignCluster {
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly pod: string | undefined;
  /** KIND/NAME */
  readonly workload: string | undefined;
}

/**
 * Parses the options. `from`: the base folder of a relative kubeconfig path. Throws an Error that describes the
 * problem.
 */
export function readOptions(argv: readonly string[], from: string): BenchOptions {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      only: { type: 'string', multiple: true, default: [] },
      rounds: { type: 'string', default: '5' },
      'no-write': { type: 'boolean', default: false },
      kubeconfig: { type: 'string' },
      namespace: { type: 'string', default: 'default' },
      pod: { type: 'string' },
      workload: { type: 'string' },
      kubectl: { type: 'string' },
      helm: { type: 'string' },
      'follow-seconds': { type: 'string', default: '60' },
    },
  });
  const { kubeconfig, namespace, pod, workload } = values;
  if (kubeconfig === undefined && (pod !== undefined || workload !== undefined))
    throw new Error('--pod and --workload are of a cluster: name its --kubeconfig too');
  return {
    only: values.only,
    rounds: positive('--rounds', values.rounds),
    isWritten: !values['no-write'] && values.only.length === 0,
    foreign:
      kubeconfig === undefined
        ? undefined
        : { kubeconfig: resolve(from, kubeconfig), namespace, pod, workload },
    kubectl: values.kubectl,
    helm: values.helm,
    followSeconds: positive('--follow-seconds', values['follow-seconds']),
  };
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1) throw new Error(`${name} ${text} is not a number from 1`);
  return value;
}
