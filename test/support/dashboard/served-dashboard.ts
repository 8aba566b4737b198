import { systemClock } from '@logtool/kube/src/values/clock.ts';
import {
  createDashboard,
  type Dashboard,
  type DashboardOptions,
} from '@logtool/logtool/src/server/create-dashboard.ts';
import { type Listening, listen } from '@logtool/logtool/src/server/node.ts';
import type { Logger } from '@logtool/logtool/src/server/services.ts';
import { builtPage } from '../../suites/browser/built-page.ts';
import type { SecretWatch } from './secret-watch.ts';

export type ServeOptions = Partial<
  Pick<
    DashboardOptions,
    'clock' | 'auth' | 'allowedNamespaces' | 'allowedHosts' | 'columns' | 'basePath' | 'version'
  >
>;

/** The real server on a separate port, which a test can stop and restart there as another server. */
export interface ServedDashboard {
  readonly origin: string;
  /** Path and query of the page's address, with the token if one is needed. */
  readonly entry: string;
  readonly openStreams: number;
  /** What it logged as errors. */
  readonly errors: readonly string[];
  stop(): Promise<void>;
  start(options?: ServeOptions): Promise<void>;
}

export async function serveDashboard(
  kubeconfig: string,
  directory: string,
  watch: SecretWatch,
  first: ServeOptions = {},
): Promise<ServedDashboard> {
  const uiDirectory = await builtPage();
  const errors: string[] = [];
  const logger = errorLogger(errors);
  let running: { readonly dashboard: Dashboard; readonly listening: Listening } | undefined;
  let port = 0;

  async function start(options: ServeOptions = first): Promise<void> {
    const dashboard = await createDashboard({
      clock: systemClock,
      version: '1.2.3',
      logger,
      env: {},
      homeDirectory: directory,
      host: 'localhost',
      allowedHosts: [],
      auth: 'none',
      allowedNamespaces: [],
      columns: ['timestamp', 'dot'],
      basePath: '',
      kubeconfig,
      inCluster: false,
      uiDirectory,
      ...options,
    });
    const fetch = async (request: Request, env?: object) => watch.over(await dashboard.fetch(request, env));
    const listening = await listen(fetch, { host: 'localhost', port, mayMove: false });
    port = listening.port;
    running = { dashboard, listening };
  }
  await start();
  return {
    origin: `http://localhost:${port}`,
    get entry() {
      return running?.dashboard.entry ?? '/';
    },

    get openStreams() {
      return running?.dashboard.streams.count ?? 0;
    },
    errors,
    async stop() {
      const { dashboard, listening } = running ?? {};
      running = undefined;
      dashboard?.endStreams('shutdown');
      await listening?.close();
      await dashboard?.close();
    },
    start,
  };
}

/** Keeps only errors. */
function errorLogger(errors: string[]): Logger {
  return {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: (fields, text) => void errors.push(`${text} ${describe(fields)}`),
  };
}

function describe(fields: object): string {
  return JSON.stringify(fields, (_, value) => (value instanceof Error ? value.stack : value));
}
