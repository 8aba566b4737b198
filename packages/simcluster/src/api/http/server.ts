import { channel } from 'node:diagnostics_channel';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { bootstrapRoles } from '../../access/bootstrap.ts';
import { type Credentials, createCredentials, type ServerUser } from '../../access/credentials.ts';
import { type Authority, createAuthority } from '../../access/tls.ts';
import type { Fault } from '../../faults/fault.ts';
import { createFaultList, type FaultList } from '../../faults/fault-list.ts';
import type { NodeAgent } from '../../node-agent.ts';
import type { Store } from '../../store/store.ts';
import { Aggregator } from '../aggregation/aggregator.ts';
import { createFrontProxy, publishFrontProxy } from '../aggregation/front-proxy.ts';
import { bootstrapApiServices, keepCustomApiServices } from '../aggregation/own-api-services.ts';
import { type ApiCall, CallLog } from './call-log.ts';
import { type ExchangeContext, exchange } from './exchange.ts';
import { type Answer, Listener } from './listener.ts';
import { RunningRequests } from './running-requests.ts';

export interface ApiServerOptions {
  readonly store: Store;
  readonly nodeAgent: NodeAgent;
  /**
   * In addition to the administrator (`admin`, group system:masters), who always exists and has the current context.
   */
  readonly users?: readonly ServerUser[];
  readonly clock: Clock;
  /** The folder for `kubeconfig` and `ca.crt`. */
  readonly directory: string;
  /** Default: a free port. */
  readonly port?: number | undefined;
  readonly faults?: readonly Fault[];
  readonly clusterName?: string;
  /** Kept up to date: `GROUP/VERSION` of each group of another server whose resources are unknown at present. */
  readonly staleGroups?: Set<string>;
  /** Default namespace of the administrator's context. */
  readonly namespace?: string | undefined;
}

export interface ApiServer {
  /** https://127.0.0.1:PORT */
  readonly url: string;
  readonly kubeconfig: string;
  readonly credentials: Credentials;
  /** PEM of the cluster's CA. */
  readonly caCertificate: string;
  /** `METHOD path?query`, newest last, at most the last 10,000. */
  readonly requests: readonly string[];
  /** The same, with the status of each response. */
  readonly calls: readonly ApiCall[];
  readonly faultsHit: number;
  /** Lets a server on a port of 127.0.0.1 answer at an address of the cluster; port 0: nothing listens there. */
  routeAddress(address: string, port: number, localPort: number): void;
  inject(fault: Fault): void;
  clearFaults(): void;
  /** Cuts the running watches (whose `METHOD path?query` matches), and returns their number. */
  dropWatches(match?: string): number;
  /** Cuts the running log requests, or ends them cleanly as a kubelet's restart does; returns their number. */
  cutLogs(how: 'reset' | 'end', match?: string): number;
  /** Ends watches, cuts logs, stops listening. */
  stop(): Promise<void>;
  /** Stops like SIGKILL: resets every connection and ends nothing in order. */
  kill(): Promise<void>;
  /** Restarts with the same port and keys; watches can no longer start before this moment. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Channel with a message `{ request, response }` for each new request, over either HTTP version: Node's own channel
 * covers only 1.1.
 */
export const REQUEST_STARTED = 'logtool.simcluster.request.start';
const started = channel(REQUEST_STARTED);
const LEASES = 'leases.coordination.k8s.io';

/** Starts the API server: HTTPS on loopback, HTTP/1.1 and HTTP/2. */
export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { store, directory, clock, nodeAgent } = options;
  await mkdir(directory, { recursive: true });
  const authority = await createAuthority('kubernetes');
  const identity = await authority.issueServer(['localhost', 'kubernetes', '127.0.0.1', '::1']);
  const credentials = await createCredentials(authority, directory, usersOf(options));
  bootstrapRoles(store);
  const aggregator = await createAggregator(options, authority);

  const log = new CallLog();
  const faults = createFaultList();
  const running = new RunningRequests();
  hitRunningWatches(faults, running);
  for (const fault of options.faults ?? []) faults.inject(fault);

  const listener = new Listener({
    identity,
    caCertificate: authority.certificate,
    port: options.port ?? 0,
  });
  const { tokens, refused } = credentials;
  const start = async (): Promise<void> => {
    if (listener.isOpen) return;
    renewLease(store, clock);
    const floor = store.resourceVersion;
    aggregator.start();
    const context = { store, clock, nodeAgent, aggregator, floor, tokens, refused, faults, running };
    await listener.start((stopping) => noted(log, { ...context, stopping }));
  };

  const stop = (how: 'in-order' | 'reset') => listener.stop(how).finally(() => aggregator.stop());

  await start();
  const url = `https://127.0.0.1:${listener.port}`;
  await writeFile(join(directory, 'ca.crt'), authority.certificate);
  const name = options.clusterName ?? 'sim';
  await credentials.publish({ name, server: url, caCertificate: authority.certificate });
  return {
    url,
    kubeconfig: credentials.kubeconfig,
    credentials,
    caCertificate: authority.certificate,
    routeAddress: (address, port, localPort) => aggregator.route(address, port, localPort),
    requests: log.requests,
    calls: log.calls,
    get faultsHit() {
      return faults.hits;
    },
    inject: (fault) => faults.inject(fault),
    clearFaults: () => faults.clear(),
    dropWatches: (match) => running.stop('watch', 'drop', match),
    cutLogs: (how, match) => running.stop('log', how === 'reset' ? 'drop' : 'end', match),
    stop: () => stop('in-order'),
    kill: () => stop('reset'),
    start,
    close: () => stop('in-order'),
  };
}

/** Creates what the aggregation layer of every cluster has, if the store lacks it. */
async function createAggregator(
  { store, clock, staleGroups = new Set() }: ApiServerOptions,
  authority: Authority,
): Promise<Aggregator> {
  bootstrapApiServices(store);
  keepCustomApiServices(store);
  const frontProxy = await createFrontProxy();
  publishFrontProxy(store, authority.certificate, frontProxy);
  return new Aggregator({ store, clock, frontProxy, staleGroups });
}

/** Handles requests and logs each with the status of its response. */
function noted(log: CallLog, context: ExchangeContext): Answer {
  return async (request, response) => {
    started.publish({ request, response });
    const call = log.note(request.method, request.url);
    await exchange(context, request, response);
    if (response.headersSent) call.status = response.statusCode;
  };
}

function usersOf({ users = [], namespace }: ApiServerOptions): readonly ServerUser[] {
  const admin: ServerUser = { name: 'admin', groups: ['system:masters'], auth: 'certificate', namespace };
  return [admin, ...users.filter(({ name }) => name !== 'admin')];
}

/** Makes a fault on watches also affect those that already run when it is injected. */
function hitRunningWatches(faults: FaultList, running: RunningRequests): void {
  faults.onInject((fault) => {
    if (fault.kind !== 'drop-watch' && fault.kind !== 'expire-watch') return;
    for (const watch of running.matching('watch', fault.match).slice(0, fault.times)) {
      faults.countHit(fault);
      if (fault.kind === 'drop-watch') watch.drop();
      else watch.expire();
    }
  });
}

/**
 * Renews the server's lease, as every server of a cluster does; so a restart moves the resourceVersion, and earlier
 * versions are too old.
 */
function renewLease(store: Store, clock: Clock): void {
  const renewTime = new Date(clock.now()).toISOString().replace('Z', '000Z');
  const name = 'apiserver-sim';
  const updated = store.update(LEASES, 'kube-system', name, (lease) => {
    lease.spec = { ...lease.spec, renewTime };
    return undefined;
  });
  if (updated !== undefined) return;
  store.create(LEASES, {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name,
      namespace: 'kube-system',
      labels: { 'apiserver.kubernetes.io/identity': 'kube-apiserver' },
    },
    spec: { holderIdentity: name, leaseDurationSeconds: 3600, renewTime },
  });
}
