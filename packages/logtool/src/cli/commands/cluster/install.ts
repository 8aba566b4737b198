import { withCharts } from '../../charts/with-charts.ts';
import type { CliContext } from '../../context.ts';
import type { ExitCode } from '../../exit-codes.ts';
import type { RawArguments } from '../../flags/flag.ts';

/** Installs a release of logtool's chart, or of another one. */
export async function clusterInstall(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  return withCharts(context, raw, async (charts) => {
    const { runInstall } = await import('../../releases/run-install.ts');
    return runInstall(context, raw, charts);
  });
}
