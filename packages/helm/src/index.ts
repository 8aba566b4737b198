/* The public API: the rest of the package may change with any version. */

export type { ConnectOptions } from '@logtool/kube/src/connect.ts';
export type { Progress } from './actions/action.ts';
export type { Uninstalled } from './actions/uninstall.ts';
export type { Upgraded } from './actions/upgrade.ts';
export { connect } from './api/connect.ts';
export {
  type ChartRelease,
  openReleases,
  type ReleaseId,
  type Releases,
  type ReleasesOptions,
} from './api/open-releases.ts';
export { type RenderAnswers, type RenderedChart, render, type Values } from './api/render.ts';
export type { Chart } from './chart/chart.ts';
export { loadChart } from './chart/load-chart.ts';
export { readChartArchive } from './chart/read-archive.ts';
export type { Hook, Release } from './release/release.ts';
export type { ListedRelease, ReleaseList, UnreadableRelease } from './release/storage.ts';
export type { ValueMap } from './value/value.ts';
export { readValues } from './values/user-values.ts';
