import type { ValueMap } from '../value/value.ts';

/** A file of a chart. `name` is relative to the chart's root, with slashes. */
export interface ChartFile {
  readonly name: string;
  readonly data: Uint8Array;
  /** RFC 3339 with nanoseconds, from the archive or the disk; Helm 4 stores it in the release. */
  readonly modTime?: string | undefined;
}

export interface ChartDependency {
  readonly name: string;
  readonly version?: string | undefined;
  readonly repository?: string | undefined;
  readonly condition?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly enabled?: boolean | undefined;
  readonly 'import-values'?: readonly unknown[] | undefined;
  readonly alias?: string | undefined;
}

/**
 * Chart.yaml. Names as in the file (https://helm.sh/docs/topics/charts/#the-chartyaml-file); unknown keys are dropped,
 * as in Helm.
 */
export interface ChartMetadata {
  readonly name: string;
  readonly home?: string | undefined;
  readonly sources?: readonly string[] | undefined;
  readonly version: string;
  readonly description?: string | undefined;
  readonly keywords?: readonly string[] | undefined;
  readonly maintainers?:
    | readonly { readonly name?: string; readonly email?: string; readonly url?: string }[]
    | undefined;
  readonly icon?: string | undefined;
  readonly apiVersion: string;
  readonly condition?: string | undefined;
  readonly tags?: string | undefined;
  readonly appVersion?: string | undefined;
  readonly deprecated?: boolean | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly kubeVersion?: string | undefined;
  readonly dependencies?: readonly ChartDependency[] | undefined;
  readonly type?: string | undefined;
}

export interface ChartLock {
  readonly generated: string;
  readonly digest: string;
  readonly dependencies: readonly ChartDependency[];
}

/** A chart in memory. Nothing changes it: rendering and dependency processing create new charts. */
export interface Chart {
  readonly metadata: ChartMetadata;
  readonly lock?: ChartLock | undefined;
  readonly templates: readonly ChartFile[];
  readonly values: ValueMap;
  /** values.schema.json, unparsed. */
  readonly schema?: Uint8Array | undefined;
  /** Every other file: README, LICENSE, crds/, everything that .Files returns. */
  readonly files: readonly ChartFile[];
  readonly dependencies: readonly Chart[];
  /** The last modification of Chart.yaml, and of values.schema.json: RFC 3339. */
  readonly modTime?: string | undefined;
  readonly schemaModTime?: string | undefined;
  /** Unknown fields of a chart from a release, kept unchanged. */
  readonly unknown?: Readonly<Record<string, unknown>> | undefined;
}
