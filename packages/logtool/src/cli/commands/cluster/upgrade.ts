import type { CliContext } from '../../context.ts';
import type { ExitCode } from '../../exit-codes.ts';
import type { RawArguments } from '../../flags/flag.ts';
import { withCharts } from './with-charts.ts';

/** Brings a release to the newest chart known here, or to other values. */
export async function clusterUpgrade(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  return withCharts(context, raw, async (charts) => {
    const { runUpgrade } = await import('./run-upgrade.ts');
    return runUpgrade(context, raw, charts);
  });
}
