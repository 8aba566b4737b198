import { sanitizeText } from '../../domain/sanitize.ts';
import { createDashboard } from '../../server/create-dashboard.ts';
import { createLogger } from '../../server/create-logger.ts';
import { listen } from '../../server/node.ts';
import type { CliContext } from '../context.ts';
import { maskSecrets } from '../output/error-text.ts';
import type { ServePlan } from '../plan/serve-plan.ts';
import { originsOf } from './dashboard-origins.ts';

export interface StartedDashboard {
  /** The addresses to open, those for other machines first; with `--auth token` they let in whoever has one. */
  readonly urls: readonly string[];
  /** An address for this machine that lets in once: it may stand where others read it, as arguments of a program do. */
  urlForOnce(): string;
  readonly port: number;
  /** Tells the open streams, closes the sockets; within a second. */
  close(): Promise<void>;
}

/** Starts the dashboard's server. Throws LogtoolError where it cannot be. */
export async function startDashboard(context: CliContext, plan: ServePlan): Promise<StartedDashboard> {
  const logger = createLogger({
    level: plan.logLevel,
    write: (line) => void context.stderr.write(line),
    mask: (text) => maskSecrets(sanitizeText(text)),
  });
  const dashboard = await createDashboard({
    ...plan,
    clock: context.clock,
    version: context.version,
    logger,
    env: context.env,
    homeDirectory: context.homeDirectory,
    kubeconfig: plan.connection.kubeconfig,
    context: plan.connection.context,
    inCluster: plan.connection.inCluster,
    uiDirectory: context.packageFile('dist/ui') ?? '',
  });
  try {
    const server = await listen(dashboard.fetch, plan);
    const { port } = server;
    const origins = originsOf(plan, port);
    return {
      urls: origins.all.map((origin) => origin + dashboard.entry),
      urlForOnce: () => origins.here + dashboard.entryForOnce(),
      port,
      async close() {
        dashboard.endStreams('shutdown');
        await server.close();
        await dashboard.close();
      },
    };
  } catch (error) {
    await dashboard.close();
    throw error;
  }
}
