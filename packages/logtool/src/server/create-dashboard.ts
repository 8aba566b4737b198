import type { Clock } from '@logtool/kube/src/values/clock.ts';
import type { KubeNotice } from '@logtool/kube/src/values/failures.ts';
import type { Info } from '../contract/cluster.ts';
import type { ColumnName } from '../domain/columns.ts';
import { KeptScans } from '../stream/kept/kept-scans.ts';
import { createApp } from './app.ts';
import { tokenCheck } from './clusters/check-token.ts';
import type { ContextSource } from './clusters/context-source.ts';
import { createClusters } from './clusters/create-clusters.ts';
import { inClusterSource } from './clusters/in-cluster-source.ts';
import { kubeconfigSource } from './clusters/kubeconfig-source.ts';
import type { MessageOf } from './failure-page.ts';
import { WindowsFirst } from './logs/windows-first.ts';
import type { Answer } from './node.ts';
import { allowedHosts } from './security/allowed-hosts.ts';
import { guardNamespaces } from './security/guard-namespaces.ts';
import type { ClosingReason, Logger, Services } from './services.ts';
import { createSessions } from './session/create-sessions.ts';
import { readSessionKeys } from './session/read-session-keys.ts';
import { StreamRegistry } from './session/stream-registry.ts';
import { watchTokens } from './session/watch-tokens.ts';
import { findFiles } from './static/find-files.ts';

export interface DashboardOptions {
  readonly clock: Clock;
  readonly version: string;
  readonly logger: Logger;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDirectory: string;
  /** The address to listen on, as given; one of the server's names. */
  readonly host: string;
  readonly allowedHosts: readonly string[];
  readonly auth: Info['auth'];
  /** Keys for the sessions of `--auth kubernetes`; replicas share them, and they outlive the process. */
  readonly sessionKeyFile?: string | undefined;
  readonly allowedNamespaces: readonly string[];
  readonly columns: readonly ColumnName[];
  readonly basePath: string;
  /** Undefined: KUBECONFIG, then ~/.kube/config. */
  readonly kubeconfig: string | undefined;
  /** The context that the page opens first. Undefined: the kubeconfig's current one. */
  readonly context?: string | undefined;
  readonly inCluster: boolean;
  /** Directory of the pod's service account files, if not the standard one. */
  readonly serviceAccountDirectory?: string;
  /** Directory of the built page. */
  readonly uiDirectory: string;
  /** Counts what the server does: `Dashboard.metrics` then returns it. */
  readonly measures?: boolean;
  /** The texts of the page that explains a foreign host. */
  readonly messageOf?: MessageOf;
}

export interface Dashboard {
  readonly fetch: Answer;
  /**
   * Entry path for a person, below the server's address; with `--auth token` the address grants access to its holder.
   */
  readonly entry: string;
  /** Returns an entry for one browser, once: for cases in which others may see it. */
  entryForOnce(): string;
  readonly streams: { readonly count: number };
  /** Answers GET /metrics, for a separate port; undefined if nothing is measured. */
  readonly metrics?: Answer | undefined;
  /** Notifies all open streams that they end: `closing` is then their last frame. */
  endStreams(reason: ClosingReason): void;
  /** Closes all connections to clusters and ends all timers. */
  close(): Promise<void>;
}

/** Assembles the server; nothing listens yet. Throws CodedError for an unreadable kubeconfig or unreadable keys. */
export async function createDashboard(options: DashboardOptions): Promise<Dashboard> {
  const { clock, version, logger, auth, basePath, sessionKeyFile, messageOf } = options;
  const hosts = allowedHosts(options.host, options.allowedHosts);
  const keys = sessionKeyFile === undefined ? undefined : await readSessionKeys(sessionKeyFile);
  const source = await openSource(options);
  const measured = options.measures === true ? await measure(version) : undefined;
  const metrics = measured?.metrics;
  const clusters = createClusters({
    source,
    clock,
    version,
    logger,
    needsBearer: auth === 'kubernetes',
    onUnauthorized: (session) => void sessions.stillGood(session),
    onRequest: metrics?.clusterAnswered,
  });
  const [streams, keptScans] = [new StreamRegistry(clock), new KeptScans(clock)];
  const { sessions, entry } = createSessions({
    auth,
    clock,
    basePath,
    check: tokenCheck({ source, clock, version, onRequest: metrics?.clusterAnswered }),
    keys,
    onEnd(session, reason) {
      streams.closeSession(session.id, reason);
      keptScans.endSession(session.id);
      void clusters.endSession(session);
    },
  });
  const watched = watchTokens({ clock, streams, stillGood: (session) => sessions.stillGood(session) });
  const services: Services = {
    ...servicesOf(options),
    clusters,
    streams: measured?.countStreams(watched) ?? watched,
    keptScans,
    windowsFirst: new WindowsFirst(clock),
    onRecordsSent: metrics?.recordsSent,
  };
  const files = await findFiles(options.uiDirectory);
  const onAnswer = measured?.countRequests(basePath);
  const app = createApp({ services, sessions, hosts, files, basePath, onAnswer, messageOf });
  return {
    fetch: (request, env) => app.fetch(request, env),
    entry: entryOf(basePath, entry?.token),
    entryForOnce: () => entryOf(basePath, entry?.issueCode()),
    streams,
    metrics: measured?.answer,
    endStreams: (reason) => streams.closeAll(reason),
    async close() {
      streams.closeAll('shutdown');
      sessions.close();
      keptScans.close();
      metrics?.close();
      await clusters.close();
    },
  };
}

/** What the options decide of the services. */
function servicesOf({
  clock,
  version,
  logger,
  auth,
  allowedNamespaces,
  columns,
  inCluster,
}: DashboardOptions): Pick<Services, 'clock' | 'version' | 'logger' | 'settings' | 'guardNamespaces'> {
  return {
    clock,
    version,
    logger,
    settings: { auth, allowedNamespaces, columns, isInCluster: inCluster },
    guardNamespaces: (sources, namespace) => guardNamespaces(allowedNamespaces, sources, namespace),
  };
}

function openSource(options: DashboardOptions): Promise<ContextSource> {
  const { clock, logger, env, homeDirectory, serviceAccountDirectory, kubeconfig, context } = options;
  const onNotice = ({ code, data }: KubeNotice) => logger.warn({ code, ...data }, code);
  return options.inCluster
    ? inClusterSource({ env, homeDirectory, clock, onNotice, serviceAccountDirectory })
    : kubeconfigSource({ kubeconfig, context, env, homeDirectory, clock, onNotice, logger });
}

/** Loads the metrics only on request. */
async function measure(version: string) {
  const { measureServer } = await import('./metrics/measure-server.ts');
  return measureServer(version);
}

function entryOf(basePath: string, token: string | undefined): string {
  return `${basePath}/${token === undefined ? '' : `?token=${token}`}`;
}
