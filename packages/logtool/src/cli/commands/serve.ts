import type { CliContext } from '../context.ts';
import { announce } from '../dashboard/announce.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import type { RawArguments } from '../flags/flag.ts';
import { planServe } from '../plan/serve/plan-serve.ts';

/** Serves the dashboard until interrupted. */
export async function serve(context: CliContext, raw: RawArguments): Promise<ExitCode> {
  const plan = await planServe(context, raw);
  const { startDashboard } = await import('../dashboard/start-dashboard.ts');
  const dashboard = await startDashboard(context, plan);
  try {
    await announce(context, plan, dashboard);
    await untilEnded(context.signal);
  } finally {
    await dashboard.close();
  }
  context.signal.throwIfAborted();
  return EXIT.done;
}

export function untilEnded(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
