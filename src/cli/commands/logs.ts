import type { KubeClient } from '../../kube/client.ts';
import type { Resolve } from '../../resolve/resolve.ts';
import type { ReadLogs } from '../../stream/engine.ts';
import type { CliContext } from '../context.ts';
import { readDebug } from '../debug.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { RawArguments } from '../flags/flag.ts';
import type { ConnectionPlan } from '../plan/connection.ts';
import { type LogsPlan, planLogs } from '../plan/logs-plan.ts';
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
  const options = { debug: readDebug(context, raw) };
  const used = parts ?? (await loadParts());
  if (!asksForSources(context, plan)) return runLogs(context, plan, used, options);
  const { pickAndRun } = await import('./pick-logs.ts');
  return pickAndRun(context, plan, used, options);
}

/** A person at a terminal who named nothing is asked; a script gets the error. */
function asksForSources({ keyboard, stdout, stderr, env }: CliContext, { source }: LogsPlan): boolean {
  const isAsked =
    source.sources.length === 0 && source.selector === undefined && source.fieldSelector === undefined;
  return isAsked && keyboard !== undefined && stdout.isTTY && stderr.isTTY && env.TERM !== 'dumb';
}

async function loadParts(): Promise<LogsParts> {
  const [{ connect }, { resolveSources }, { readLogs }] = await Promise.all([
    import('./connect.ts'),
    import('../../resolve/resolve-sources.ts'),
    import('../../stream/read-logs.ts'),
  ]);
  return { connect, resolve: resolveSources, read: readLogs };
}
