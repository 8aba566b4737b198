import type { ClusterObject } from '../apply/cluster-object.ts';
import type { Chart } from '../chart/chart.ts';
import type { Hook } from '../release/release.ts';
import type { ValueMap } from '../value/value.ts';
import type { RenderCapabilities } from './capabilities.ts';
import type { Lookup } from './lookup.ts';

/** What a revision of a release is rendered from. */
export interface ReleaseInput {
  readonly name: string;
  readonly namespace: string;
  readonly revision: number;
  readonly isUpgrade: boolean;
  readonly chart: Chart;
  readonly values: ValueMap;
  readonly capabilities: RenderCapabilities;
  /** Milliseconds since the epoch: what `now` is in templates. */
  readonly nowMs: number;
  /** The notes of sub-charts, too. */
  readonly subNotes?: boolean | undefined;
}

/** What a chart gives for a revision of a release. */
export interface RenderedRelease {
  /** The chart with the sub-charts that the values enable: what the release keeps. */
  readonly chart: Chart;
  readonly manifest: string;
  /** The objects of the manifest, in its order. */
  readonly objects: readonly ClusterObject[];
  readonly hooks: readonly Hook[];
  readonly notes: string;
}

/**
 * All work that a chart decides on: how long it takes, and how much memory. The program does it in a thread of its own,
 * which it can end (`startChartThread`); tests may do it where they are (`CHARTS_IN_PROCESS`).
 */
export interface ChartWork {
  /** As `loadChart`. */
  load(path: string): Promise<Chart>;
  /** As `readChartArchive`. */
  unpack(archive: Uint8Array): Promise<Chart>;
  /** As `readManifest`, for the definitions in a chart's `crds/`. */
  readObjects(manifest: string): Promise<readonly ClusterObject[]>;
  /**
   * Checks values against the chart's schema, renders the chart and reads what it gives.
   * @throws CodedError `chart-not-installable`, and as `validateValues`, `renderChart` and `readManifest` do
   */
  render(input: ReleaseInput, lookup: Lookup): Promise<RenderedRelease>;
}
