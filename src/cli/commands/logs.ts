import type { KubeClient } from '../../kube/client.ts';
import type { Resolve } from '../../resolve/resolve.ts';
import type { ReadLogs } from '../../stream/engine.ts';
import type { CliContext } from '../context.ts';
import { readDebug } from '../debug.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { RawArguments } from '../flags/flag.ts';
import type { ConnectionPlan } from '../plan/connection.ts';
import { planLogs } from '../plan/logs-plan.ts';
import { runLogs } from './run-logs.ts';

/** What `logs` needs of the rooms before it; tests put their own in. */
export interface LogsParts {
  readonly connect: (
    context: CliContext,
    plan: ConnectionPlan,
    options: { readonly debug: boolean },
  ) => Promise<KubeClient>;
  readonly resolve: Resolve;
  readonly read: ReadLogs;
}

export async function logs(context: CliContext, raw: RawArguments, parts?: LogsParts): Promise<ExitCode> {
  const plan = await planLogs(context, raw);
  return runLogs(context, plan, parts ?? (await loadParts()), { debug: readDebug(context, raw) });
}

async function loadParts(): Promise<LogsParts> {
  const [{ connect }, { resolveSources }, { readLogs }] = await Promise.all([
    import('./connect.ts'),
    import('../../resolve/resolve-sources.ts'),
    import('../../stream/read-logs.ts'),
  ]);
  return { connect, resolve: resolveSources, read: readLogs };
}
