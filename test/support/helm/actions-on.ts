import type { ChartActionContext, Progress } from '@logtool/helm/src/actions/action.ts';
import { type InstallOptions, install } from '@logtool/helm/src/actions/install.ts';
import { type RollbackOptions, rollback } from '@logtool/helm/src/actions/rollback.ts';
import { type UninstallOptions, uninstall } from '@logtool/helm/src/actions/uninstall.ts';
import { type UpgradeOptions, upgrade } from '@logtool/helm/src/actions/upgrade.ts';
import type { Chart } from '@logtool/helm/src/chart/chart.ts';
import { clusterStorage } from '@logtool/helm/src/release/cluster-storage.ts';
import type { ReleaseStorage } from '@logtool/helm/src/release/storage.ts';
import { CHARTS_IN_PROCESS } from '@logtool/helm/src/render/charts-in-process.ts';
import type { KubeClient } from '@logtool/kube/src/client.ts';
import type { KubeError } from '@logtool/kube/src/errors.ts';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { quickClock } from './cluster.ts';

/** How a test works on a cluster, if not with immediate actions of a user. */
export interface OnOptions {
  readonly clock?: Clock;
  readonly namespace?: string;
  readonly driver?: ReleaseStorage['driver'];
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  readonly onHookLog?: (line: string) => void;
}

/** Describes a failure for the record of a release, as a product that uses the package would. */
export function described(failure: CodedError | KubeError): string {
  return `described ${failure instanceof CodedError ? failure.code : failure.kind}`;
}

/** Returns the actions with the defaults of a command line. */
export function actionsOn(client: KubeClient, options: OnOptions = {}) {
  const { clock = quickClock, namespace = 'default', driver, signal, onProgress, onHookLog } = options;
  const context: ChartActionContext = {
    client,
    clock,
    charts: CHARTS_IN_PROCESS,
    storage: clusterStorage(client, clock, driver),
    signal,
    onProgress,
    onHookLog,
    describe: described,
  };
  const common = (name: string) => ({ name, namespace, wait: true, timeoutMs: 60_000 });
  return {
    context,
    install: (name: string, chart: Chart, changed: Partial<InstallOptions> = {}) =>
      install(context, {
        ...common(name),
        chart,
        values: new Map(),
        createNamespace: true,
        atomic: false,
        dryRun: false,
        ...changed,
      }),
    upgrade: (name: string, chart: Chart, changed: Partial<UpgradeOptions> = {}) =>
      upgrade(context, {
        ...common(name),
        chart,
        values: undefined,
        atomic: false,
        dryRun: false,
        ...changed,
      }),
    rollback: (name: string, changed: Partial<RollbackOptions> = {}) =>
      rollback(context, { ...common(name), ...changed }),
    uninstall: (name: string, changed: Partial<UninstallOptions> = {}) =>
      uninstall(context, { ...common(name), keepHistory: false, ...changed }),
  };
}
