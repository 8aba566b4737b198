import { list } from '@logtool/helm/src/actions/list.ts';
import { chartText } from '@logtool/helm/src/release/chart-text.ts';
import type { ListedRelease, UnreadableRelease } from '@logtool/helm/src/release/storage.ts';
import { CHART_REPOSITORY } from '../../charts/chart-repository.ts';
import type { CliContext } from '../../context.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import type { RawArguments } from '../../flags/flag.ts';
import { recordText } from '../../messages/helm/records.ts';
import { print } from '../../output/print.ts';
import { tableText } from '../../output/text-table.ts';
import { planList } from '../../plan/cluster/plan-cluster.ts';
import { onCluster } from '../../releases/open-cluster.ts';
import { timeText } from '../../releases/release-text.ts';

const HEAD = ['NAME', 'NAMESPACE', 'REVISION', 'UPDATED', 'STATUS', 'CHART', 'APP VERSION'];

/** Lists logtool's own releases, whoever installed them; with --all, the releases of every chart. */
export async function clusterList(outer: CliContext, raw: RawArguments): Promise<ExitCode> {
  const plan = await planList(outer, raw);
  return onCluster(outer, plan, async (action, reporter, context) => {
    const { releases, unreadable } = await list(action, plan.namespace);
    for (const { name, namespace, record } of unreadable)
      reporter.line(`note: cannot read ${name} in the namespace ${namespace}: ${recordText(record)}`);
    const shown = plan.all ? releases : releases.filter(isOwn);
    const hidden = releases.length - shown.length;
    const broken = unreadable.map(unreadableRow);
    const rows = [...shown.map(rowOf), ...broken];
    await print(context, plan.output, rows, () =>
      rows.length === 0
        ? 'no releases\n'
        : tableText(HEAD, [...shown.map(cellsOf), ...broken.map((row) => textsOf(row, '-'))]),
    );
    if (hidden > 0 && context.stderr.isTTY)
      reporter.line(`${hidden} release${hidden === 1 ? '' : 's'} of other charts not shown (--all)`);
    return EXIT.done;
  });
}

const isOwn = ({ chart }: ListedRelease) => chart.metadata.name === CHART_REPOSITORY.chart;

interface Row {
  readonly name: string;
  readonly namespace: string;
  readonly revision: string;
  readonly updated: string;
  readonly status: string;
  readonly chart: string;
  readonly app_version: string;
}

/** The format of `helm list -o json`. */
function rowOf(release: ListedRelease): Row {
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

/** Returns the row of an unreadable revision, from its labels; a note beside the list gives the reason. */
function unreadableRow({ name, namespace, release, version }: UnreadableRelease): Row {
  return {
    name: release ?? name,
    namespace,
    revision: version === undefined ? '' : String(version),
    updated: '',
    status: 'unreadable',
    chart: '',
    app_version: '',
  };
}

function cellsOf(release: ListedRelease): readonly string[] {
  const { lastDeployed } = release.info;
  return textsOf(rowOf(release), lastDeployed === undefined ? '-' : timeText(lastDeployed));
}

function textsOf(row: Row, updated: string): readonly string[] {
  return [row.name, row.namespace, row.revision, updated, row.status, row.chart, row.app_version];
}

/** Formats `2026-11-21T02:10:50.0565Z` as Go prints a time: `2026-11-21 02:10:50.0565 +0000 UTC`. */
function goTime(time: string | undefined): string {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d(?:\.\d+)?)Z$/.exec(time ?? '');
  return match === null ? (time ?? '') : `${match[1]} ${match[2]} +0000 UTC`;
}
