import type { CliContext } from '../context.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { RawArguments } from '../flags/flag.ts';
import { screenOf } from '../logs/log-screen.ts';
import type { LogsServices } from '../logs/logs-services.ts';
import type { LogsPlan } from '../plan/logs/logs-plan.ts';
import { planLogs } from '../plan/logs/plan-logs.ts';
import { planProgram } from '../plan/plan-program.ts';

export async function logs(
  context: CliContext,
  raw: RawArguments,
  services: LogsServices = LAZY_SERVICES,
): Promise<ExitCode> {
  const plan = await planLogs(context, raw);
  const options = planProgram(context, raw);
  if (asksForSources(context, plan)) {
    const { pickAndRun } = await import('../logs/pick-logs.ts');
    return pickAndRun(context, plan, services, options);
  }
  const screen = screenOf(context, plan);
  const client = services.connect(screen.context, plan.connection, options);
  // Far from the server, opening a connection takes longer than loading the rest of the program.
  const connecting = client.then((opened) => {
    opened.preconnect?.(plan.engine.window.selection.kind === 'tail' ? 2 : 1);
    return opened;
  });
  // The code that awaits it has not started yet.
  connecting.catch(() => undefined);
  try {
    if (plan.count !== undefined) {
      const { countLogs } = await import('../logs/count-logs.ts');
      return await countLogs(screen, plan, plan.count, services, connecting);
    }
    const { runLogs } = await import('../logs/run-logs.ts');
    return await runLogs(screen, plan, services, connecting);
  } finally {
    await screen.progress.end();
    // A usage error may end the command while it is still connecting.
    connecting.then(
      (opened) => opened.close(),
      () => undefined,
    );
  }
}

/**
 * Whether to open the picker: a user at a terminal who named nothing gets a list; a script gets the error.
 */
function asksForSources({ keyboard, stdout, stderr, env }: CliContext, { source }: LogsPlan): boolean {
  const isAsked =
    source.sources.length === 0 && source.selector === undefined && source.fieldSelector === undefined;
  return isAsked && keyboard !== undefined && stdout.isTTY && stderr.isTTY && env.TERM !== 'dumb';
}

const LAZY_SERVICES: LogsServices = {
  connect: async (...given) => (await import('../connection/connect.ts')).connect(...given),
  async *resolve(...given) {
    const { resolveSources } = await import('../../resolve/resolve-sources.ts');
    yield* resolveSources(...given);
  },
  scan: async (...given) => (await import('../../stream/scan/scan-logs.ts')).scanLogs(...given),
  read: async (...given) => (await import('../../stream/view/read-logs.ts')).readLogs(...given),
};
