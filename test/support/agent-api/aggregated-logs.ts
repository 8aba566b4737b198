import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { request } from 'node:https';
import { dirname, join } from 'node:path';
import type { ClusterClient } from '@logtool/kube/src/create-client.ts';
import { type Clock, systemClock } from '@logtool/kube/src/values/clock.ts';
import { trustOf } from '@logtool/logtool/src/agent/serve/api-trust.ts';
import { type AgentReport, serveAgent } from '@logtool/logtool/src/agent/serve/serve-agent.ts';
import { Agents } from '@logtool/logtool/src/agent-api/fan-out/agents.ts';
import { FrontProxy } from '@logtool/logtool/src/agent-api/front-proxy/front-proxy.ts';
import type { ServedHttps } from '@logtool/logtool/src/agent-api/http/https-server.ts';
import { AccessReviews } from '@logtool/logtool/src/agent-api/review/access-reviews.ts';
import { type ApiReport, serveApi } from '@logtool/logtool/src/agent-api/routes/serve-api.ts';
import { GatherRuns } from '@logtool/logtool/src/agent-api/runs/gather-runs.ts';
import { RunList } from '@logtool/logtool/src/agent-api/runs/run-list.ts';
import { type Authority, createAuthority, type Identity } from '@logtool/simcluster/src/access/tls.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { type CommandResult, kubectl, kubectlPath } from '../oracles/kubectl.ts';
import { simClient } from '../server/sim-client.ts';

/** A kubectl that runs. */
export interface FollowedLog {
  readonly text: () => string;
  readonly errors: () => string;
  /** Resolves with the exit code; null: it was killed. */
  readonly ended: Promise<number | null>;
  kill(): void;
}

function spawned(path: string, args: readonly string[], kubeconfig: string): FollowedLog {
  const env = { PATH: process.env.PATH ?? '', HOME: dirname(kubeconfig), KUBECONFIG: kubeconfig };
  const child = spawn(path, args, { env });
  const printed = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      printed[name] += text;
    });
  }
  return {
    text: () => printed.stdout,
    errors: () => printed.stderr,
    ended: once(child, 'close').then(([code]: (number | null)[]) => code ?? null),
    kill: () => child.kill(),
  };
}

const SYSTEM = 'logtool';
/** Where the API and the agents listen. */
const HOST = '127.0.0.1';
const SLICES = 'endpointslices.discovery.k8s.io';
const LABELS = { 'app.kubernetes.io/name': 'logtool', 'app.kubernetes.io/component': 'agent' };
const READ_PODS = [
  { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
  { namespace: SYSTEM, apiGroups: [''], resources: ['pods'], verbs: ['list', 'watch'] },
];
const REVIEW = {
  apiGroups: ['authorization.k8s.io'],
  resources: ['subjectaccessreviews'],
  verbs: ['create'],
};
const READ_FRONT_PROXY = {
  namespace: 'kube-system',
  apiGroups: [''],
  resources: ['configmaps'],
  resourceNames: ['extension-apiserver-authentication'],
  verbs: ['get', 'list', 'watch'],
};

export interface AggregatedOptions {
  readonly nodes: readonly string[];
  /** Workloads and users as scenarios describe them. */
  readonly workloads: readonly { readonly namespace: string; readonly [field: string]: unknown }[];
  readonly users?: readonly object[];
  /** Serves the API in another way, and returns its port. */
  readonly serve?: (logs: AggregatedLogs) => Promise<number>;
  /** Of the API; the cluster and the agents have the machine's time. */
  readonly clock?: Clock;
  /** Default: every namespace. */
  readonly allowedNamespaces?: { readonly api?: readonly string[]; readonly agents?: readonly string[] };
}

/**
 * A simulated cluster in which the API of logtool stands behind its APIService, with an agent for each node that reads
 * that node's own files. Both have accounts with no more than the permissions that they need.
 */
export class AggregatedLogs {
  readonly cluster: SimCluster;
  /** Signs for the API and the agents. */
  readonly authority: Authority;
  readonly reports: { readonly api: ApiReport[]; readonly agents: AgentReport[] } = { api: [], agents: [] };
  readonly #options: AggregatedOptions;
  readonly #clock: Clock;
  readonly #over = new AbortController();
  readonly #served: ServedHttps[] = [];
  readonly #agents = new Map<string, ServedHttps>();
  /** Where the API itself listens, behind the API server. */
  apiPort = 0;
  readonly #clients: ClusterClient[] = [];

  private constructor(cluster: SimCluster, authority: Authority, options: AggregatedOptions) {
    this.cluster = cluster;
    this.authority = authority;
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  static async start(options: AggregatedOptions): Promise<AggregatedLogs> {
    const authority = await createAuthority('logtool-ca');
    const cluster = await startSimCluster({
      scenario: {
        startDelays: 'none',
        namespaces: [SYSTEM, ...new Set(options.workloads.map(({ namespace }) => namespace))],
        nodes: options.nodes.map((name) => ({ name })),
        users: [
          {
            name: 'logtool-api',
            rules: [...READ_PODS, REVIEW, READ_FRONT_PROXY],
          },
          { name: 'logtool-agent', rules: [REVIEW] },
          ...(options.users ?? []),
        ],
        workloads: options.workloads,
      },
    });
    const logs = new AggregatedLogs(cluster, authority, options);
    for (const node of options.nodes) await logs.#startAgent(node);
    logs.apiPort = options.serve === undefined ? await logs.#serveApi() : await options.serve(logs);
    logs.#publish(Buffer.from(authority.certificate).toString('base64'));
    logs.#addEndpoint(logs.apiPort);
    await logs.#available();
    return logs;
  }

  async #startAgent(node: string): Promise<void> {
    const name = `agent-${node}`;
    const own = await this.authority.issuePeer('logtool-agent', [`${node}.logtool-agent`]);
    const trust = trustOf(this.authority.certificate);
    const served = await serveAgent({
      ...own,
      host: HOST,
      port: 0,
      root: join(this.cluster.logDirectory, node),
      activity: 'levels',
      clock: systemClock,
      trust: () => trust,
      reviews: await this.#reviews('logtool-agent', systemClock, this.#options.allowedNamespaces?.agents),
      report: (report) => this.reports.agents.push(report),
    });
    this.#served.push(served);
    this.#agents.set(node, served);
    const ports = [{ name: 'agent', containerPort: served.port }];
    const { store } = this.cluster;
    // The simulated kubelet gives the pod an address of the cluster, and the agent listens on this machine.
    store.subscribe('pods', ({ type, object }) => {
      const { podIP } = object.status ?? {};
      if (type === 'DELETED' || object.metadata.name !== name || podIP === undefined || podIP === HOST)
        return;
      store.update('pods', SYSTEM, name, (pod) => {
        pod.status = { ...pod.status, podIP: HOST };
        return undefined;
      });
    });
    store.create('pods', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, namespace: SYSTEM, labels: LABELS },
      spec: {
        nodeName: node,
        schedulerName: 'none',
        containers: [{ name: 'agent', image: 'logtool', ports }],
      },
    });
  }

  /** Ends the agent of a node, and its answers, as a kill does; its pod stays for now. */
  async killAgent(node: string): Promise<void> {
    const served = this.#agents.get(node);
    if (served === undefined) throw new Error(`no agent runs on ${node}`);
    this.#served.splice(this.#served.indexOf(served), 1);
    await served.close();
  }

  /** Issues a certificate of the API: for its server, and for agents. */
  issueApi(): Promise<Identity> {
    return this.authority.issuePeer('logtool-api', [`logtool-api.${SYSTEM}.svc`]);
  }

  /** Runs kubectl to its end, as the administrator or another user. */
  kubectl(args: readonly string[], user = 'admin'): Promise<CommandResult> {
    return kubectl([`--context=${user}`, ...args], this.cluster);
  }

  /** Asks for the log of a pod through the API of logtool, or (`core`) through that of Kubernetes. */
  log(of: string, { core = false, user = 'admin' } = {}): Promise<CommandResult> {
    const prefix = core ? '/api/v1' : '/apis/logtool.dev/v1alpha1';
    return this.kubectl(['get', '--raw', `${prefix}/namespaces/${of}`], user);
  }

  /** Starts kubectl for the log of a pod. */
  follow(of: string, user = 'admin'): Promise<FollowedLog> {
    return this.start(['get', '--raw', `/apis/logtool.dev/v1alpha1/namespaces/${of}`], user);
  }

  /** Starts kubectl, and returns what it has printed until now, and how it ends. */
  async start(args: readonly string[], user = 'admin'): Promise<FollowedLog> {
    return spawned(await kubectlPath(), [`--context=${user}`, ...args], this.cluster.kubeconfig);
  }

  /** Asks the API server itself for a path of the group, and returns when the answer begins. */
  async open(path: string, user: string, headers: OutgoingHttpHeaders = {}): Promise<IncomingMessage> {
    const asked = request(`${this.cluster.server}/apis/logtool.dev/v1alpha1/${path}`, {
      ca: this.cluster.caCertificate,
      headers: { ...headers, authorization: `Bearer ${this.cluster.tokenOf(user)}` },
      agent: false,
    });
    asked.end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return answer;
  }

  async close(): Promise<void> {
    this.#over.abort();
    await this.cluster.close();
    for (const served of this.#served) await served.close();
    for (const client of this.#clients) client.close();
  }

  async #serveApi(): Promise<number> {
    const clock = this.#clock;
    const client = await this.#client('logtool-api');
    const signal = this.#over.signal;
    const frontProxy = new FrontProxy(clock);
    const agents = new Agents({
      client,
      clock,
      namespace: SYSTEM,
      labelSelector: 'app.kubernetes.io/name=logtool,app.kubernetes.io/component=agent',
      onUnknown: () => undefined,
    });
    const own = await this.issueApi();
    const list = new RunList({ clock });
    const credentials = () => ({ ...own, bundle: this.authority.certificate });
    const gathered = new GatherRuns({ agents, credentials, clock, list, onLost: () => undefined });
    void gathered.run(signal);
    void frontProxy.follow(client, signal);
    void agents.follow(signal);
    await frontProxy.known;
    const served = await serveApi({
      ...own,
      host: HOST,
      port: 0,
      clock,
      client,
      agents,
      frontProxy,
      credentials,
      runs: { list, gathered },
      reviews: await this.#reviews('logtool-api', clock, this.#options.allowedNamespaces?.api),
      report: (report) => this.reports.api.push(report),
    });
    this.#served.push(served);
    return served.port;
  }

  /** Starts another replica of the API, and returns its port. */
  async startReplica(): Promise<number> {
    const port = await this.#serveApi();
    this.#addEndpoint(port);
    return port;
  }

  /** Ends a replica of the API and its answers, as a kill does; the API server sends it no more requests. */
  async killReplica(port: number): Promise<void> {
    const served = this.#served.find((each) => each.port === port);
    if (served === undefined) throw new Error(`no replica listens on ${port}`);
    this.#served.splice(this.#served.indexOf(served), 1);
    await served.close();
    this.cluster.store.remove(SLICES, SYSTEM, `logtool-api-${port}`);
  }

  /** Creates the Service and the APIService of the API. */
  #publish(caBundle: string): void {
    const { store } = this.cluster;
    const metadata = { name: 'logtool-api', namespace: SYSTEM };
    store.create('services', {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { ports: [{ port: 443 }] },
    });
    store.create('apiservices.apiregistration.k8s.io', {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1alpha1.logtool.dev' },
      spec: {
        group: 'logtool.dev',
        version: 'v1alpha1',
        groupPriorityMinimum: 100,
        versionPriority: 10,
        service: { ...metadata, port: 443 },
        caBundle,
      },
    });
  }

  async #available(): Promise<void> {
    const waiting = ['wait', 'apiservice', 'v1alpha1.logtool.dev', '--for=condition=Available'];
    const { exitCode, stderr } = await this.kubectl([...waiting, '--timeout=60s']);
    if (exitCode !== 0) throw new Error(stderr);
  }

  #addEndpoint(port: number): void {
    const labels = { 'kubernetes.io/service-name': 'logtool-api' };
    this.cluster.store.create(SLICES, {
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name: `logtool-api-${port}`, namespace: SYSTEM, labels },
      addressType: 'IPv4',
      endpoints: [{ addresses: [HOST], conditions: { ready: true } }],
      ports: [{ name: '', protocol: 'TCP', port }],
    });
  }

  async #reviews(
    user: string,
    clock: Clock,
    allowedNamespaces: readonly string[] = [],
  ): Promise<AccessReviews> {
    return new AccessReviews({ client: await this.#client(user), clock, allowedNamespaces });
  }

  async #client(user: string): Promise<ClusterClient> {
    const client = await simClient(this.cluster, user);
    this.#clients.push(client);
    return client;
  }
}
