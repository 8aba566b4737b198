import { withCharts } from '../../charts/with-charts.ts';
import type { CliContext } from '../../context.ts';
import type { ExitCode } from '../../exit-codes.ts';
import type { RawArguments } from '../../flags/flag.ts';

/** Upgrades a release to the newest known chart, or to other values. */
export async function clusterUpgrade(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  return withCharts(context, raw, async (charts) => {
    const { runUpgrade } = await import('../../releases/run-upgrade.ts');
    return runUpgrade(context, raw, charts);
  });
}
