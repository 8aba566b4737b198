import type { BenchCluster } from '../cluster/open-cluster.ts';
import type { Programs } from '../measure/programs.ts';
import type { Row } from '../report/row.ts';

/** The input of every case. */
export interface Bench {
  readonly cluster: BenchCluster;
  readonly programs: Programs;
  readonly rounds: number;
  readonly followSeconds: number;
  /** The root of the repository. */
  readonly root: string;
  /** For temporary files of a case; removed at the end. */
  readonly directory: string;
}

/** A measured case. The report shows an error that it throws as its failure. */
export interface Case {
  readonly name: string;
  run(bench: Bench): Promise<readonly Row[]>;
}

/** Thrown with the reason why a case cannot be measured here; the report shows it. */
export class Skipped extends Error {}

/** Returns the flags of logtool and kubectl that select the cluster and the namespace. */
export function whereOf({ namespace, kubeconfig }: BenchCluster): readonly string[] {
  return ['-n', namespace, '--kubeconfig', kubeconfig];
}
