import type { HelmVersion } from '../../../../../test/support/oracles/helm.ts';

/** A whole chart that our engine and the real helms render. */
export interface ChartCase {
  readonly name: string;
  /** Its files by their paths; `Chart.yaml` of the chart itself is made when absent. */
  readonly files: Readonly<Record<string, string>>;
  /** Values that a person gives, as `-f` does. */
  readonly values?: Readonly<Record<string, unknown>>;
  readonly isUpgrade?: boolean;
  readonly kubeVersion?: string;
  readonly apiVersions?: readonly string[];
  /** The helms that render it as we do, when they differ; say why beside the case. */
  readonly only?: readonly HelmVersion[];
}

export function chartYaml(name: string, more = ''): string {
  return `apiVersion: v2\nname: ${name}\nversion: 1.2.3\nappVersion: "4.5"\n${more}`;
}

/** A small object of a kind. */
export function object(kind: string, name: string, more = ''): string {
  return `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n${more}`;
}
