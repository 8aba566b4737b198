import type { BenchCluster } from '../cluster/open-cluster.ts';
import type { Programs } from '../measure/programs.ts';
import type { Row } from '../report/row.ts';

/** What cases are given. */
export interface Bench {
  readonly cluster: BenchCluster;
  readonly programs: Programs;
  readonly rounds: number;
  readonly followSeconds: number;
  /** The repository. */
  readonly root: string;
  /** For files that a case leaves for itself; it is removed in the end. */
  readonly directory: string;
}

/** A measured case. The report shows what it throws as its failure. */
export interface Case {
  readonly name: string;
  run(bench: Bench): Promise<readonly Row[]>;
}

/** What cannot be measured here, and why: the report says so. */
export class Skipped extends Error {}

/** Goals, logtool over its peer; and peak memory in MiB. */
export interface Goals {
  readonly wall?: number;
  readonly cpu?: number;
  readonly peakMiB?: number;
}

/** Flags of logtool and of kubectl that say where. */
export function whereOf({ namespace, kubeconfig }: BenchCluster): readonly string[] {
  return ['-n', namespace, '--kubeconfig', kubeconfig];
}
