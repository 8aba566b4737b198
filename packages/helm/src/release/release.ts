import type { Chart } from '../chart/chart.ts';
import type { ValueMap } from '../value/value.ts';

/** https://github.com/helm/helm/blob/v4.1.4/pkg/release/common/status.go */
export type ReleaseStatus =
  | 'unknown'
  | 'deployed'
  | 'uninstalled'
  | 'superseded'
  | 'failed'
  | 'uninstalling'
  | 'pending-install'
  | 'pending-upgrade'
  | 'pending-rollback';

export type HookEvent =
  | 'pre-install'
  | 'post-install'
  | 'pre-delete'
  | 'post-delete'
  | 'pre-upgrade'
  | 'post-upgrade'
  | 'pre-rollback'
  | 'post-rollback'
  | 'test';
export type HookDeletePolicy = 'hook-succeeded' | 'hook-failed' | 'before-hook-creation';
export type HookPhase = '' | 'Unknown' | 'Running' | 'Succeeded' | 'Failed';

/** A manifest that runs at an event of the release and is not part of it. */
export interface Hook {
  readonly name: string;
  readonly kind: string;
  readonly path: string;
  readonly manifest: string;
  readonly events: readonly HookEvent[];
  readonly weight: number;
  readonly deletePolicies: readonly HookDeletePolicy[];
  readonly outputLogPolicies: readonly ('hook-succeeded' | 'hook-failed')[];
  /** RFC 3339 with nanoseconds. */
  readonly lastRun: {
    readonly startedAt?: string | undefined;
    readonly completedAt?: string | undefined;
    readonly phase: HookPhase;
  };
  /** Unknown fields, kept unchanged. */
  readonly unknown?: Readonly<Record<string, unknown>> | undefined;
}

/** One revision of a release, as stored in the cluster. */
export interface Release {
  readonly name: string;
  readonly namespace: string;
  /** The revision: 1 and up. */
  readonly version: number;
  readonly info: {
    /** RFC 3339 with nanoseconds. */
    readonly firstDeployed?: string | undefined;
    readonly lastDeployed?: string | undefined;
    readonly deleted?: string | undefined;
    readonly description: string;
    readonly status: ReleaseStatus;
    readonly notes: string;
    /** Unknown fields, kept unchanged. */
    readonly unknown?: Readonly<Record<string, unknown>> | undefined;
  };
  readonly chart: Chart;
  /** The user's values, without the chart's. */
  readonly config: ValueMap;
  /** All objects in installation order, each under `# Source:`. */
  readonly manifest: string;
  readonly hooks: readonly Hook[];
  /** Absent means client-side, as in Helm 3. */
  readonly applyMethod?: 'ssa' | 'csa' | undefined;
  /** Labels of the storage object, except the driver's own. */
  readonly labels: Readonly<Record<string, string>>;
  readonly unknown?: Readonly<Record<string, unknown>> | undefined;
}
