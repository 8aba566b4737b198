import { history } from '@logtool/helm/src/actions/history.ts';
import { chartText } from '@logtool/helm/src/release/chart-text.ts';
import type { CliContext } from '../../context.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import type { RawArguments } from '../../flags/flag.ts';
import { print } from '../../output/print.ts';
import { tableText } from '../../output/text-table.ts';
import { planShow } from '../../plan/cluster/plan-cluster.ts';
import { onCluster } from '../../releases/open-cluster.ts';
import { timeText } from '../../releases/release-text.ts';

const HEAD = ['REVISION', 'UPDATED', 'STATUS', 'CHART', 'APP VERSION', 'DESCRIPTION'];

/** Shows the revisions of a release, oldest first. */
export async function clusterHistory(outer: CliContext, raw: RawArguments): Promise<ExitCode> {
  const plan = await planShow(outer, raw, 'cluster history');
  return onCluster(outer, plan, async (action, _reporter, context) => {
    const releases = await history(action, plan.namespace, plan.name);
    // The format of `helm history -o json`.
    const rows = releases.map((release) => ({
      revision: release.version,
      updated: release.info.lastDeployed ?? '',
      status: release.info.status,
      chart: chartText(release),
      app_version: release.chart.metadata.appVersion ?? '',
      description: release.info.description,
    }));
    await print(context, plan.output, rows, () =>
      tableText(
        HEAD,
        rows.map((row) => [
          String(row.revision),
          row.updated === '' ? '-' : timeText(row.updated),
          row.status,
          row.chart,
          row.app_version,
          row.description,
        ]),
      ),
    );
    return EXIT.done;
  });
}
