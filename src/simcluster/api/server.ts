import { randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { createSecureServer, type Http2SecureServer } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '../../domain/clock.ts';
import type { TokenUser } from '../access/authenticate.ts';
import { bootstrapRoles } from '../access/bootstrap.ts';
import { createFaultList } from '../faults/fault-list.ts';
import { type KubeconfigUser, type UserCredentials, writeKubeconfig } from '../kubeconfig-file.ts';
import type { NodeAgent } from '../node-agent.ts';
import type { Fault } from '../start.ts';
import type { Store } from '../store.ts';
import { createAuthority } from '../tls.ts';
import { exchange, type RunningWatch } from './exchange.ts';

/** A user that the server knows; what it may do follows from the roles in the store. */
export interface ServerUser {
  readonly name: string;
  readonly groups?: readonly string[];
  readonly auth: 'token' | 'certificate';
  /** Default namespace of its context in the kubeconfig. */
  readonly namespace?: string | undefined;
  /** Its certificate has run out, or its token is not known to the server: every request answers 401. */
  readonly expired?: boolean;
}

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
  /** PEM of the cluster's CA. */
  readonly caCertificate: string;
  /** `METHOD path?query`, newest last, at most the last 10,000. */
  readonly requests: readonly string[];
  readonly faultsHit: number;
  inject(fault: Fault): void;
  clearFaults(): void;
  /** Ends watches, cuts logs, stops listening. */
  stop(): Promise<void>;
  /** Comes back with port and keys; watches may not go back behind this moment any more. */
  start(): Promise<void>;
  close(): Promise<void>;
}

const MOST_REQUESTS = 10_000;
const IDLE_MS = 180_000;
const LEASES = 'leases.coordination.k8s.io';

/** Starts the API server: HTTPS on loopback, HTTP/1.1 and HTTP/2. */
export async function startApiServer(options: ApiServerOptions): Promise<ApiServer> {
  const { store, directory, clock } = options;
  await mkdir(directory, { recursive: true });
  const authority = await createAuthority('kubernetes');
  const identity = await authority.issueServer(['localhost', 'kubernetes', '127.0.0.1', '::1']);
  const tokens: TokenUser[] = [];
  const contexts: KubeconfigUser[] = [];
  const admin: ServerUser = {
    name: 'admin',
    groups: ['system:masters'],
    auth: 'certificate',
    namespace: options.namespace,
  };
  for (const user of [admin, ...(options.users ?? []).filter(({ name }) => name !== 'admin')]) {
    const { name, namespace, groups = [], expired = false } = user;
    let credentials: UserCredentials;
    if (user.auth === 'token') {
      const token = randomBytes(24).toString('base64url');
      if (!expired) tokens.push({ token, name, groups });
      credentials = { kind: 'token', token };
    } else credentials = { kind: 'certificate', ...(await authority.issueClient(name, groups, { expired })) };
    contexts.push({ name, namespace, credentials });
  }
  bootstrapRoles(store);

  const requests: string[] = [];
  const faults = createFaultList();
  const watches = new Set<RunningWatch>();
  faults.onInject((fault) => {
    if (fault.kind !== 'drop-watch' && fault.kind !== 'expire-watch') return;
    let left = fault.times ?? Number.POSITIVE_INFINITY;
    const pattern = fault.match === undefined ? undefined : new RegExp(fault.match);
    for (const watch of [...watches]) {
      if (left === 0 || pattern?.test(watch.line) === false) continue;
      left -= 1;
      faults.countHit(fault);
      if (fault.kind === 'drop-watch') watch.drop();
      else watch.expire();
    }
  });
  for (const fault of options.faults ?? []) faults.inject(fault);

  let running: Running | undefined;
  let port = options.port ?? 0;
  const start = async (): Promise<void> => {
    if (running !== undefined) return;
    renewLease(store, clock);
    const stopping = new AbortController();
    const context = {
      store,
      clock,
      nodeAgent: options.nodeAgent,
      floor: store.resourceVersion,
      tokens,
      faults,
      watches,
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
    } as Parameters<typeof createSecureServer>[0]);
    const sockets = trackSockets(server);
    server.on('request', (request, response) => {
      requests.push(`${request.method} ${request.url}`);
      if (requests.length > MOST_REQUESTS) requests.splice(0, requests.length - MOST_REQUESTS);
      const done = exchange(context, request, response)
        .catch(() => {
          request.socket.destroy();
        })
        .finally(() => active.delete(done));
      active.add(done);
    });
    port = await listen(server, port);
    running = { server, sockets, stopping, active };
  };
  const stop = async (): Promise<void> => {
    const stopped = running;
    running = undefined;
    if (stopped === undefined) return;
    const closed = new Promise<void>((resolve) => stopped.server.close(() => resolve()));
    stopped.stopping.abort();
    await Promise.race([Promise.allSettled(stopped.active), pause(500)]);
    for (const socket of stopped.sockets) socket.destroy();
    await closed;
  };

  await start();
  const url = `https://127.0.0.1:${port}`;
  const kubeconfig = join(directory, 'kubeconfig');
  await writeFile(join(directory, 'ca.crt'), authority.certificate);
  const cluster = { name: options.clusterName ?? 'sim', server: url, caCertificate: authority.certificate };
  await writeKubeconfig(kubeconfig, cluster, contexts);
  return {
    url,
    kubeconfig,
    caCertificate: authority.certificate,
    requests,
    get faultsHit() {
      return faults.hits;
    },
    inject: (fault) => faults.inject(fault),
    clearFaults: () => faults.clear(),
    stop,
    start,
    close: stop,
  };
}

interface Running {
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
