import { channel } from 'node:diagnostics_channel';
import { mkdir, writeFile } from 'node:fs/promises';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '@logtool/kube/src/values/clock.ts';
import { bootstrapRoles } from '../access/bootstrap.ts';
import { type Credentials, createCredentials, type ServerUser } from '../access/credentials.ts';
import { createFaultList } from '../faults/fault-list.ts';
import type { NodeAgent } from '../node-agent.ts';
import type { Fault } from '../start.ts';
import type { Store } from '../store.ts';
import { createAuthority } from '../tls.ts';
import { exchange, type RunningRequest } from './exchange.ts';

export interface ApiServerOptions {
  readonly store: Store;
  readonly nodeAgent: NodeAgent;
  /** Beside the administrator (`admin`, group system:masters), who is always there and has the current context. */
  readonly users?: readonly ServerUser[];
  readonly clock: Clock;
  /** Where `kubeconfig` and `ca.crt` are written. */
  readonly directory: string;
  /** A free one when left out. */
  readonly port?: number | undefined;
  readonly faults?: readonly Fault[];
  readonly clusterName?: string;
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
  /** The same with what was answered. */
  readonly calls: readonly ApiCall[];
  readonly faultsHit: number;
  inject(fault: Fault): void;
  clearFaults(): void;
  /** Cuts the watches that run now (whose `METHOD path?query` matches), and returns how many. */
  dropWatches(match?: string): number;
  /** Cuts the logs that are being answered now, or lets them end cleanly as a kubelet's restart does. */
  cutLogs(how: 'reset' | 'end', match?: string): number;
  /** Ends watches, cuts logs, stops listening. */
  stop(): Promise<void>;
  /** As SIGKILL: every connection is reset, nothing is ended in order. */
  kill(): Promise<void>;
  /** Comes back with port and keys; watches may not go back behind this moment any more. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** One request, as an audit log has it. */
export interface ApiCall {
  readonly method: string;
  /** With its query, as it was sent. */
  readonly uri: string;
  /** Undefined while it is not answered, or when it never was. */
  status: number | undefined;
}

const MOST_REQUESTS = 10_000;
/** Told of `{ request, response }` when a request begins, over whichever HTTP: Node's own channel knows 1.1 alone. */
export const REQUEST_STARTED = 'logtool.simcluster.request.start';
const started = channel(REQUEST_STARTED);
const IDLE_MS = 180_000;
/** What a real API server tells a client of HTTP/2, unless --http2-max-streams-per-connection says otherwise. */
const MOST_STREAMS = 100;
/** Where a hundred logs wait for a client that reads another one, Node would refuse the next (at 10 MB). */
const SESSION_MEMORY_MB = 1_000;
const LEASES = 'leases.coordination.k8s.io';

/** Starts the API server: HTTPS on loopback, HTTP/1.1 and HTTP/2. */
export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { store, directory, clock } = options;
  await mkdir(directory, { recursive: true });
  const authority = await createAuthority('kubernetes');
  const identity = await authority.issueServer(['localhost', 'kubernetes', '127.0.0.1', '::1']);
  const admin: ServerUser = {
    name: 'admin',
    groups: ['system:masters'],
    auth: 'certificate',
    namespace: options.namespace,
  };
  const others = (options.users ?? []).filter(({ name }) => name !== 'admin');
  const credentials = await createCredentials(authority, directory, [admin, ...others]);
  bootstrapRoles(store);

  const requests: string[] = [];
  const calls: ApiCall[] = [];
  const faults = createFaultList();
  const running = new Set<RunningRequest>();
  const each = (kind: RunningRequest['kind'], match: string | undefined) => {
    const pattern = match === undefined ? undefined : new RegExp(match);
    return [...running].filter((one) => one.kind === kind && pattern?.test(one.line) !== false);
  };
  faults.onInject((fault) => {
    if (fault.kind !== 'drop-watch' && fault.kind !== 'expire-watch') return;
    for (const watch of each('watch', fault.match).slice(0, fault.times)) {
      faults.countHit(fault);
      if (fault.kind === 'drop-watch') watch.drop();
      else watch.expire();
    }
  });
  for (const fault of options.faults ?? []) faults.inject(fault);

  let open: OpenServer | undefined;
  let port = options.port ?? 0;
  const start = async (): Promise<void> => {
    if (open !== undefined) return;
    renewLease(store, clock);
    const stopping = new AbortController();
    const context = {
      store,
      clock,
      nodeAgent: options.nodeAgent,
      floor: store.resourceVersion,
      tokens: credentials.tokens,
      refused: credentials.refused,
      faults,
      running,
      stopping: stopping.signal,
    };
    const active = new Set<Promise<void>>();
    const server = createSecureServer({
      allowHTTP1: true,
      key: identity.key,
      cert: identity.certificate,
      ca: authority.certificate,
      requestCert: true,
      rejectUnauthorized: false,
      keepAliveTimeout: IDLE_MS,
      settings: { maxConcurrentStreams: MOST_STREAMS },
      maxSessionMemory: SESSION_MEMORY_MB,
    } as Parameters<typeof createSecureServer>[0]);
    const sockets = trackSockets(server);
    server.on('request', (request, response) => {
      started.publish({ request, response });
      requests.push(`${request.method} ${request.url}`);
      if (requests.length > MOST_REQUESTS) requests.splice(0, requests.length - MOST_REQUESTS);
      const call: ApiCall = { method: request.method ?? '', uri: request.url ?? '', status: undefined };
      calls.push(call);
      if (calls.length > MOST_REQUESTS) calls.splice(0, calls.length - MOST_REQUESTS);
      const done = exchange(context, request, response)
        .then(() => {
          if (response.headersSent) call.status = response.statusCode;
        })
        .catch(() => {
          request.socket.destroy();
        })
        .finally(() => active.delete(done));
      active.add(done);
    });
    port = await listen(server, port);
    open = { server, sockets, stopping, active };
  };
  const stop = async (how: 'in order' | 'at once' = 'in order'): Promise<void> => {
    const stopped = open;
    open = undefined;
    if (stopped === undefined) return;
    const closed = new Promise<void>((resolve) => stopped.server.close(() => resolve()));
    if (how === 'at once') for (const socket of stopped.sockets) socket.resetAndDestroy();
    stopped.stopping.abort();
    await Promise.race([Promise.allSettled(stopped.active), pause(500)]);
    for (const socket of stopped.sockets) socket.destroy();
    await closed;
  };

  await start();
  const url = `https://127.0.0.1:${port}`;
  await writeFile(join(directory, 'ca.crt'), authority.certificate);
  await credentials.publish({
    name: options.clusterName ?? 'sim',
    server: url,
    caCertificate: authority.certificate,
  });
  return {
    url,
    kubeconfig: credentials.kubeconfig,
    credentials,
    caCertificate: authority.certificate,
    requests,
    calls,
    get faultsHit() {
      return faults.hits;
    },
    inject: (fault) => faults.inject(fault),
    clearFaults: () => faults.clear(),
    dropWatches(match) {
      const watches = each('watch', match);
      for (const watch of watches) watch.drop();
      return watches.length;
    },
    cutLogs(how, match) {
      const logs = each('log', match);
      for (const log of logs) log[how === 'reset' ? 'drop' : 'end']();
      return logs.length;
    },
    stop: () => stop(),
    kill: () => stop('at once'),
    start,
    close: () => stop(),
  };
}

interface OpenServer {
  readonly server: Http2SecureServer;
  readonly sockets: Set<Socket>;
  readonly stopping: AbortController;
  readonly active: Set<Promise<void>>;
}

function trackSockets(server: Http2SecureServer): Set<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.once('close', () => sockets.delete(socket));
  });
  // A client that breaks off a handshake or a session is its own affair.
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  server.on('clientError', (_error: Error, socket: Socket) => socket.destroy());
  server.on('sessionError', (_error, session) => session.destroy());
  return sockets;
}

function listen(server: Http2SecureServer, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.removeListener('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}

/** Every server of a cluster holds a lease; so a restart moves the resourceVersion, and versions of before are too old. */
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
