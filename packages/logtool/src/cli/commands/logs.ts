import type { KubeClient } from '@logtool/kube/src/client.ts';
import type { Resolve } from '../../resolve/resolve.ts';
import type { ReadLogs } from '../../stream/engine.ts';
import type { CliContext } from '../context.ts';
import { readDebug } from '../debug.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { RawArguments } from '../flags/flag.ts';
import type { ConnectionPlan } from '../plan/connection.ts';
import { type LogsPlan, planLogs } from '../plan/logs-plan.ts';
import { screenOf } from './log-screen.ts';

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

export async function logs(
  context: CliContext,
  raw: RawArguments,
  parts: LogsParts = LAZY_PARTS,
): Promise<ExitCode> {
  const plan = await planLogs(context, raw);
  const options = { debug: readDebug(context, raw) };
  if (asksForSources(context, plan)) {
    const { pickAndRun } = await import('./pick-logs.ts');
    return pickAndRun(context, plan, parts, options);
  }
  const screen = screenOf(context, plan);
  const client = parts.connect(screen.context, plan.connection, options);
  // Far from the server a connection takes longer to open than the rest of the program takes to load.
  const connecting = client.then((opened) => {
    opened.preconnect?.(plan.engine.window.selection.kind === 'tail' ? 2 : 1);
    return opened;
  });
  // Whoever waits for it is not there yet.
  connecting.catch(() => undefined);
  try {
    const { runLogs } = await import('./run-logs.ts');
    return await runLogs(screen, plan, parts, connecting);
  } finally {
    await screen.progress.end();
    // A usage error may end the command while it still connects.
    connecting.then(
      (opened) => opened.close(),
      () => undefined,
    );
  }
}

/** A person at a terminal who named nothing is asked; a script gets the error. */
function asksForSources({ keyboard, stdout, stderr, env }: CliContext, { source }: LogsPlan): boolean {
  const isAsked =
    source.sources.length === 0 && source.selector === undefined && source.fieldSelector === undefined;
  return isAsked && keyboard !== undefined && stdout.isTTY && stderr.isTTY && env.TERM !== 'dumb';
}

const LAZY_PARTS: LogsParts = {
  connect: async (...given) => (await import('./connect.ts')).connect(...given),
  async *resolve(...given) {
    const { resolveSources } = await import('../../resolve/resolve-sources.ts');
    yield* resolveSources(...given);
  },
  async *read(...given) {
    const { readLogs } = await import('../../stream/read-logs.ts');
    yield* readLogs(...given);
  },
};
