import { history } from '@logtool/helm/src/actions/history.ts';
import { releaseToJson } from '@logtool/helm/src/release/release-json.ts';
import type { CliContext } from '../../context.ts';
import { EXIT, type ExitCode } from '../../exit-codes.ts';
import type { RawArguments } from '../../flags/flag.ts';
import { agentsText } from '../../messages/helm/agents.ts';
import { print } from '../../output/print.ts';
import { sanitizeLines } from '../../output/text-table.ts';
import { planShow } from '../../plan/cluster/plan-cluster.ts';
import { agentsOf } from '../../releases/agents-of-release.ts';
import { onCluster } from '../../releases/open-cluster.ts';
import { releaseText } from '../../releases/release-text.ts';

/** Shows the newest revision of a release with its notes, and whether its agents work. */
export async function clusterStatus(outer: CliContext, raw: RawArguments): Promise<ExitCode> {
  const plan = await planShow(outer, raw, 'cluster status');
  return onCluster(outer, plan, async (action, _reporter, context) => {
    const releases = await history(action, plan.namespace, plan.name);
    const last = releases.at(-1);
    if (last === undefined) return EXIT.failure;
    // Like Helm, prints the release without its chart.
    const { chart: _chart, ...plain } = JSON.parse(releaseToJson(last)) as Record<string, unknown>;
    const agents = await agentsOf(action, last);
    const shown = agents === undefined ? plain : { ...plain, agents };
    const state = () => (agents === undefined ? '' : sanitizeLines(`\n${agentsText(agents)}`));
    await print(context, plan.output, shown, () => releaseText(last) + state());
    return EXIT.done;
  });
}
