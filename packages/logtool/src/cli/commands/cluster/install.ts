import type { CliContext } from '../../context.ts';
import type { ExitCode } from '../../exit-codes.ts';
import type { RawArguments } from '../../flags/flag.ts';
import { withCharts } from './with-charts.ts';

/** Makes a release out of logtool's chart, or of another one. */
export async function clusterInstall(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  return withCharts(context, raw, async (charts) => {
    const { runInstall } = await import('./run-install.ts');
    return runInstall(context, raw, charts);
  });
}
