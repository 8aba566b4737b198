import type { ClusterObject } from '../apply/cluster-object.ts';
import type { Chart } from '../chart/chart.ts';
import type { Hook } from '../release/release.ts';
import type { ValueMap } from '../value/value.ts';
import type { RenderCapabilities } from './capabilities.ts';
import type { Lookup } from './lookup.ts';

/** The input for rendering a revision of a release. */
export interface ReleaseInput {
  readonly name: string;
  readonly namespace: string;
  readonly revision: number;
  readonly isUpgrade: boolean;
  readonly chart: Chart;
  readonly values: ValueMap;
  readonly capabilities: RenderCapabilities;
  /** Milliseconds since the epoch: the value of `now` in templates. */
  readonly nowMs: number;
  /** Include the notes of sub-charts. */
  readonly subNotes?: boolean | undefined;
}

/** The output of a chart for a revision of a release. */
export interface RenderedRelease {
  /** The chart with the sub-charts that the values enable, as stored in the release. */
  readonly chart: Chart;
  readonly manifest: string;
  /** The objects of the manifest, in order. */
  readonly objects: readonly ClusterObject[];
  readonly hooks: readonly Hook[];
  readonly notes: string;
}

/**
 * All work whose time and memory depend on a chart. The program runs it in its own thread, which it can end
 * (`startChartThread`); tests may run it in-process (`CHARTS_IN_PROCESS`).
 */
export interface ChartWork {
  /** Like `loadChart`. */
  load(path: string): Promise<Chart>;
  /** Like `readChartArchive`. */
  unpack(archive: Uint8Array): Promise<Chart>;
  /** Like `readManifest`, for the definitions in a chart's `crds/`. */
  readObjects(manifest: string): Promise<readonly ClusterObject[]>;
  /**
   * Checks values against the chart's schema, renders the chart and parses its output.
   * @throws CodedError `chart-not-installable`, and the errors of `validateValues`, `renderChart` and `readManifest`
   */
  render(input: ReleaseInput, lookup: Lookup): Promise<RenderedRelease>;
}
