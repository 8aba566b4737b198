import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { createAuthority } from '../../src/access/tls.ts';
import { type SimCluster, startSimCluster } from '../../src/start.ts';
import { sendRequest } from './send-request.ts';

/** What an extension API server has received. */
export interface SeenRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly httpVersion: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Names and values in turn, as they came. */
  readonly rawHeaders: readonly string[];
  /** Common names of the client certificate and of its issuer; undefined: none. */
  readonly certificate: { readonly cn: string; readonly issuer: string } | undefined;
}

const OWN_USER = 'system:kube-aggregator';

export type ExtensionHandler = (request: Http2ServerRequest, response: Http2ServerResponse) => void;

/** A real HTTPS server on 127.0.0.1 that a test lets answer for a group. For tests only. */
export interface ExtensionServer {
  readonly port: number;
  /** PEM of the authority of its certificate. */
  readonly ca: string;
  readonly seen: readonly SeenRequest[];
  /** Requests of clients: those that the API server did not make for itself. */
  readonly seenOfClients: readonly SeenRequest[];
  /** Answers clients. */
  handle: ExtensionHandler;
  /** Answers the API server's own requests, for discovery. */
  handleOwn: ExtensionHandler;
  /** Resets every connection and listens no more. */
  kill(): Promise<void>;
}

export async function startExtensionServer(
  handle: ExtensionHandler,
  options: { readonly http2?: boolean } = {},
): Promise<ExtensionServer> {
  const authority = await createAuthority('logtool-ca');
  const { key, certificate } = await authority.issueServer(['logtool-api.truth.svc']);
  const seen: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  const tls = { key, cert: certificate, requestCert: true, rejectUnauthorized: false };
  const server =
    options.http2 === false
      ? (createServer(tls) as unknown as Http2SecureServer)
      : createSecureServer({ ...tls, allowHTTP1: true });
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => sockets.delete(socket));
  });
  const extension = {
    port: 0,
    ca: authority.certificate,
    seen,
    get seenOfClients() {
      return seen.filter(({ headers }) => headers['x-remote-user'] !== OWN_USER);
    },
    handle,
    handleOwn: handle,
    kill: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  server.on('request', (request, response) => {
    seen.push(seenOf(request));
    const isOwn = request.headers['x-remote-user'] === OWN_USER;
    (isOwn ? extension.handleOwn : extension.handle)(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  extension.port = (server.address() as AddressInfo).port;
  return extension;
}

function seenOf(request: Http2ServerRequest): SeenRequest {
  const { method, url, httpVersion, headers, rawHeaders } = request;
  const socket = (request.stream?.session?.socket ?? request.socket) as unknown as TLSSocket;
  const peer = socket.getPeerCertificate();
  const certificate =
    peer?.subject === undefined ? undefined : { cn: String(peer.subject.CN), issuer: String(peer.issuer.CN) };
  return { method, path: url, httpVersion, headers, rawHeaders, certificate };
}

/** The address of the extension's pod in the cluster. */
export const POD_ADDRESS = { address: '10.244.0.31', port: 8443 };
const GROUP = { group: 'logtool.dev', version: 'v1alpha1' };
export const API_SERVICE = `${GROUP.version}.${GROUP.group}`;

/** The Service, its endpoints and the APIService of the recordings. */
export function aggregationObjects(caBundle: string) {
  const metadata = { name: 'logtool-api', namespace: 'truth' };
  return [
    { apiVersion: 'v1', kind: 'Service', metadata, spec: { ports: [{ port: 443, targetPort: 8443 }] } },
    {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { ...metadata, labels: { 'kubernetes.io/service-name': 'logtool-api' } },
      addressType: 'IPv4',
      endpoints: [{ addresses: [POD_ADDRESS.address], conditions: { ready: true } }],
      ports: [{ name: '', protocol: 'TCP', port: POD_ADDRESS.port }],
    },
    {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: API_SERVICE },
      spec: {
        ...GROUP,
        groupPriorityMinimum: 100,
        versionPriority: 10,
        service: { namespace: 'truth', name: 'logtool-api', port: 443 },
        caBundle: Buffer.from(caBundle).toString('base64'),
      },
    },
  ];
}

/** A cluster whose clock stands still, with an extension API server behind its APIService. For tests only. */
export async function startAggregated(
  extension: ExtensionServer,
): Promise<{ readonly cluster: SimCluster; readonly clock: FakeClock }> {
  const clock = new FakeClock(Date.UTC(2026, 10, 22, 13, 42, 32));
  const cluster = await startSimCluster({
    clock,
    scenario: {
      startDelays: 'none',
      nodes: [{ name: 'node1' }],
      namespaces: ['truth'],
      users: [
        { name: 'nobody', rules: [] },
        {
          name: 'log-only',
          rules: [{ apiGroups: ['logtool.dev'], resources: ['pods/log'], verbs: ['get'] }],
        },
      ],
      objects: aggregationObjects(extension.ca),
    },
  });
  await cluster.control.routeAddress({ ...POD_ADDRESS, localPort: extension.port });
  await untilAvailable(cluster, 'Passed');
  await untilFreshness(cluster, 'Current');
  return { cluster, clock };
}

/** Resolves when the condition `Available` has that reason. */
export async function untilAvailable(cluster: SimCluster, reason: string): Promise<void> {
  const resource = 'apiservices.apiregistration.k8s.io';
  const isSo = () => {
    const conditions = cluster.store.get(resource, undefined, API_SERVICE)?.status?.conditions;
    return (conditions as readonly { reason: string }[] | undefined)?.[0]?.reason === reason;
  };
  if (isSo()) return;
  await new Promise<void>((resolve) => {
    const stop = cluster.store.subscribe(resource, () => {
      if (!isSo()) return;
      stop();
      resolve();
    });
  });
}

/** Resolves with the group's entry in aggregated discovery when it has this freshness. */
export async function untilFreshness(
  cluster: SimCluster,
  freshness: 'Current' | 'Stale',
): Promise<Readonly<Record<string, unknown>>> {
  const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
  for (;;) {
    const { ended } = await sendRequest(cluster, 'admin', { path: '/apis', headers: { accept } });
    const entry = JSON.parse((await ended).body.toString()).items.at(-1);
    if (entry.metadata.name === GROUP.group && entry.versions[0].freshness === freshness) return entry;
  }
}
