import type { KubeClient } from '@logtool/kube/src/client.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import type { ChangeOptions, ChartActionContext, Progress } from '../actions/action.ts';
import { history } from '../actions/history.ts';
import { install } from '../actions/install.ts';
import { list } from '../actions/list.ts';
import { rollback } from '../actions/rollback.ts';
import { type Uninstalled, uninstall } from '../actions/uninstall.ts';
import { type Upgraded, upgrade } from '../actions/upgrade.ts';
import type { Chart } from '../chart/chart.ts';
import { clusterStorage } from '../release/cluster-storage.ts';
import type { Release } from '../release/release.ts';
import type { ReleaseList } from '../release/storage.ts';
import { CHARTS_IN_PROCESS } from '../render/charts-in-process.ts';
import { type Values, valueMap } from './render.ts';

/** A release, by name and namespace (default `default`), and the options for changing it. */
export interface ReleaseId extends Partial<Omit<ChangeOptions, 'preflight'>> {
  readonly name: string;
  readonly namespace?: string;
}

/** A release for actions that render a chart into a revision. */
export interface ChartRelease extends ReleaseId {
  /** Undo everything if the action fails. Default false. */
  readonly atomic?: boolean;
}

/**
 * The releases of a cluster, the same that Helm sees. Every method waits until all objects are ready, unless `wait` is
 * false.
 */
export interface Releases {
  /** Installs a chart, and creates the namespace if missing. */
  install(chart: Chart, values: Values, release: ChartRelease): Promise<Release>;
  /** Upgrades a release. Without values, it keeps those of the previous revision. */
  upgrade(chart: Chart, values: Values | undefined, release: ChartRelease): Promise<Upgraded>;
  /** Rolls back to a revision; by default to the second to last one. */
  rollback(release: ReleaseId, revision?: number): Promise<Release>;
  uninstall(release: ReleaseId): Promise<Uninstalled>;
  /** Returns every stored revision, oldest first. */
  history(release: ReleaseId): Promise<readonly Release[]>;
  /** Returns the newest revision of every release in a namespace, or in all. */
  list(namespace?: string): Promise<ReleaseList>;
}

export interface ReleasesOptions {
  /** The storage driver of Helm's records. Default `secret`. */
  readonly driver?: 'secret' | 'configmap';
  /** Aborts the running action; the release record then says that it failed. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** Helm's default: https://helm.sh/docs/helm/helm_install/ */
const TIMEOUT_MS = 300_000;

/** Opens the releases of a cluster, with the permissions of the client's user. */
export function openReleases(client: KubeClient, options: ReleasesOptions = {}): Releases {
  const context: ChartActionContext = {
    client,
    clock: systemClock,
    charts: CHARTS_IN_PROCESS,
    storage: clusterStorage(client, systemClock, options.driver),
    signal: options.signal,
    onProgress: options.onProgress,
  };
  return {
    install: (chart, values, release) =>
      install(context, {
        ...settled(release),
        chart,
        values: valueMap(values),
        createNamespace: true,
        atomic: release.atomic ?? false,
        dryRun: false,
      }),
    upgrade: (chart, values, release) =>
      upgrade(context, {
        ...settled(release),
        chart,
        values: values === undefined ? undefined : valueMap(values),
        atomic: release.atomic ?? false,
      }),
    rollback: (release, revision) => rollback(context, { ...settled(release), revision }),
    uninstall: (release) => uninstall(context, { ...settled(release), keepHistory: false }),
    history: ({ name, namespace = 'default' }) => history(context, namespace, name),
    list: (namespace) => list(context, namespace),
  };
}

function settled({
  name,
  namespace = 'default',
  wait = true,
  timeoutMs = TIMEOUT_MS,
  historyMax,
}: ReleaseId) {
  return { name, namespace, wait, timeoutMs, historyMax };
}
