import { sanitizeText } from '@logtool/kube/src/values/sanitize.ts';
import { createDashboard, type Dashboard } from '../../server/create-dashboard.ts';
import { createLogger } from '../../server/create-logger.ts';
import { type Listening, listen } from '../../server/node.ts';
import type { CliContext } from '../context.ts';
import { messageOf } from '../messages/worded.ts';
import { maskSecrets } from '../output/error-text.ts';
import type { ServePlan } from '../plan/serve/serve-plan.ts';
import { originsOf } from './dashboard-origins.ts';

export interface StartedDashboard {
  /**
   * The addresses to open, those for other machines first; with `--auth token` each grants access to its
   * holder.
   */
  readonly urls: readonly string[];
  /**
   * Returns an address for this machine that grants access once, so others may read it, like a program's
   * arguments.
   */
  urlForOnce(): string;
  readonly port: number;
  /** The address of the metrics, if they are served. */
  readonly metricsUrl?: string | undefined;
  /** Notifies the open streams and closes the sockets, within a second. */
  close(): Promise<void>;
}

/** Starts the dashboard's server. Throws CodedError if it cannot start. */
export async function startDashboard(context: CliContext, plan: ServePlan): Promise<StartedDashboard> {
  const logger = createLogger({
    level: plan.logLevel,
    write: (line) => void context.stderr.write(line),
    mask: (text) => maskSecrets(sanitizeText(text)),
  });
  const dashboard = await createDashboard({
    messageOf,
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
    measures: plan.metricsPort !== undefined,
  });
  const servers: Listening[] = [];
  const close = async () => {
    dashboard.endStreams('shutdown');
    await Promise.all(servers.map((server) => server.close()));
    await dashboard.close();
  };
  try {
    const server = await listen(dashboard.fetch, plan);
    servers.push(server);
    const metrics = await serveMetrics(dashboard, plan);
    if (metrics !== undefined) servers.push(metrics);
    const origins = originsOf(plan, server.port);
    return {
      urls: origins.all.map((origin) => origin + dashboard.entry),
      urlForOnce: () => origins.here + dashboard.entryForOnce(),
      port: server.port,
      metricsUrl: metrics === undefined ? undefined : `${originsOf(plan, metrics.port).all[0]}/metrics`,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Serves metrics on a separate port: scrapers do not sign in, and users of the page need not reach it. */
async function serveMetrics(
  { metrics }: Pick<Dashboard, 'metrics'>,
  { host, metricsPort }: ServePlan,
): Promise<Listening | undefined> {
  if (metrics === undefined || metricsPort === undefined) return undefined;
  return listen(metrics, { host, port: metricsPort, mayMove: false, purpose: 'metrics' });
}
