import { list } from '../../../helm/actions/list.ts';
import { chartText } from '../../../helm/release/chart-text.ts';
import type { Release } from '../../../helm/release/release.ts';
import type { CliContext } from '../../context.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import type { RawArguments } from '../../flags/flag.ts';
import { print } from '../../output/print.ts';
import { tableText } from '../../output/text-table.ts';
import { planCluster } from '../../plan/cluster-plan.ts';
import { onCluster } from './open-cluster.ts';
import { timeText } from './release-text.ts';

const HEAD = ['NAME', 'NAMESPACE', 'REVISION', 'UPDATED', 'STATUS', 'CHART', 'APP VERSION'];

/** Lists the releases of the cluster, whoever made them. */
export async function clusterList(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  const plan = await planCluster(context, raw);
  return onCluster(context, plan, async (action, reporter) => {
    const { releases, unreadable } = await list(action, plan.namespace);
    for (const { name, namespace, why } of unreadable)
      reporter.line(`note: ${name} in the namespace ${namespace} cannot be read: ${why}`);
    await print(context, plan.output, releases.map(rowOf), () =>
      releases.length === 0 ? 'no releases\n' : tableText(HEAD, releases.map(cellsOf)),
    );
    return EXIT.done;
  });
}

/** As `helm list -o json` has it. */
function rowOf(release: Release) {
  return {
    name: release.name,
    namespace: release.namespace,
    revision: String(release.version),
    updated: goTime(release.info.lastDeployed),
    status: release.info.status,
    chart: chartText(release),
    app_version: release.chart.metadata.appVersion ?? '',
  };
}

function cellsOf(release: Release): readonly string[] {
  const { lastDeployed } = release.info;
  const row = rowOf(release);
  return [
    row.name,
    row.namespace,
    row.revision,
    lastDeployed === undefined ? '-' : timeText(lastDeployed),
    row.status,
    row.chart,
    row.app_version,
  ];
}

/** `2026-11-21T02:10:50.0565Z` as Go prints a time: `2026-11-21 02:10:50.0565 +0000 UTC`. */
function goTime(time: string | undefined): string {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d(?:\.\d+)?)Z$/.exec(time ?? '');
  return match === null ? (time ?? '') : `${match[1]} ${match[2]} +0000 UTC`;
}
