import type { Chart } from '../chart/chart.ts';
import type { Hook } from '../release/release.ts';
import { CHARTS_IN_PROCESS } from '../render/charts-in-process.ts';
import { fromPlain } from '../value/plain.ts';
import type { ValueMap } from '../value/value.ts';

/** Values as plain JSON data, or as `readValues` returns them. */
export type Values = ValueMap | Readonly<Record<string, unknown>>;

export interface RenderAnswers {
  /** The release name: `.Release.Name`. Default `release-name`, as in `helm template`. */
  readonly name?: string;
  /** Default `default`. */
  readonly namespace?: string;
  /** The Kubernetes version to render the chart for. Default `v1.35.0`. */
  readonly kubeVersion?: string;
  /** The values of `.Capabilities.APIVersions`: `v1`, `apps/v1`, `apps/v1/Deployment`. Default: only `v1`. */
  readonly apiVersions?: readonly string[];
}

export interface RenderedChart {
  /** All objects in Helm's installation order, each under `# Source:`. */
  readonly manifest: string;
  readonly hooks: readonly Hook[];
  /** The output of NOTES.txt. */
  readonly notes: string;
}

/**
 * Renders a chart without a cluster, as `helm template` does: `lookup` finds nothing. `values` override the chart's
 * own, and must match its schema.
 * @throws CodedError `template-failed` with Helm's own message, `values-invalid`, `template-limit`
 */
export async function render(
  chart: Chart,
  values: Values = {},
  {
    name = 'release-name',
    namespace = 'default',
    kubeVersion = 'v1.35.0',
    apiVersions = ['v1'],
  }: RenderAnswers = {},
): Promise<RenderedChart> {
  const [, major = '', minor = ''] = /^v?(\d+)\.(\d+)/.exec(kubeVersion) ?? [];
  const { manifest, hooks, notes } = await CHARTS_IN_PROCESS.render(
    {
      name,
      namespace,
      revision: 1,
      isUpgrade: false,
      chart,
      values: valueMap(values),
      capabilities: { kubeVersion: { version: kubeVersion, major, minor }, apiVersions },
      nowMs: Date.now(),
    },
    async () => new Map(),
  );
  return { manifest, hooks, notes };
}

export function valueMap(values: Values): ValueMap {
  return values instanceof Map ? (values as ValueMap) : (fromPlain(values) as ValueMap);
}
