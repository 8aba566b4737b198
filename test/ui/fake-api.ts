import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Info } from '@logtool/logtool/src/contract/cluster.ts';
import type { WireError } from '@logtool/logtool/src/contract/error.ts';
import type { Workload, WorkloadFrame } from '@logtool/logtool/src/contract/workload.ts';
import type { Plugin } from 'vite';
import { drawnCluster, largeCluster } from './fake-cluster.ts';

/**
 * Answers the contract's requests for an invented kubeconfig, so that the page can be worked on and looked at without a
 * cluster. Each context shows one situation. With LOGTOOL_SERVER nothing is invented: see vite.config.ts.
 */
export function fakeApi(): Plugin {
  return {
    name: 'fake-api',
    apply: 'serve',
    configureServer(server) {
      if (process.env.LOGTOOL_SERVER !== undefined) return;
      server.middlewares.use((request, response, next) => {
        if (request.url?.startsWith('/api/v1/')) answerFake(request, response);
        else next();
      });
    },
  };
}

const FAKE_CONTEXTS = [
  'prod-eu',
  'agent',
  'denied',
  'empty',
  'unreachable',
  'large',
  'slow',
  'churn',
] as const;
const VAULT: WireError = {
  code: 'forbidden',
  what: 'you lack permission to list pods in the namespace vault',
  denied: {
    verb: 'list',
    resource: 'pods',
    namespace: 'vault',
    check: 'kubectl auth can-i list pods --namespace vault --context prod-eu',
  },
};
const REFUSED: WireError = {
  code: 'unreachable',
  what: 'https://10.0.0.9:6443 does not answer',
  why: 'connect ECONNREFUSED 10.0.0.9:6443',
  next: 'See whether the cluster runs and whether this machine reaches its network (VPN).',
};

function answerFake(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const path = url.pathname.replace('/api/v1', '');
  const inContext = /^\/contexts\/([^/]+)\/(\w+)$/.exec(path);
  if (inContext?.[2] === 'workloads') {
    streamWorkloads(decodeURIComponent(inContext[1] ?? ''), response);
    return;
  }
  // A long wait for a later kubeconfig, which never comes.
  if (path === '/contexts' && url.searchParams.has('wait')) return;
  const body = ANSWERS[inContext?.[2] === undefined ? path : inContext[2]];
  if (body === undefined) response.statusCode = 404;
  json(response, body ?? { error: { code: 'not-found', what: `nothing is at ${path}` } });
}

const INFO: Info = {
  version: '0.1.0',
  auth: 'none',
  allowedNamespaces: [],
  columns: ['timestamp', 'dot'],
  isInCluster: false,
  agent: false,
};

function fakeContext(name: string) {
  const isBad = name === 'unreachable';
  return {
    name,
    server: isBad ? 'https://10.0.0.9:6443' : `https://${name}.example.com:6443`,
    namespace: 'default',
    isCurrent: name === 'prod-eu',
    reachability: isBad ? 'unreachable' : name === 'slow' ? 'unknown' : 'reachable',
    ...(isBad ? { error: REFUSED } : { version: 'v1.35.0', nodes: 6 }),
  };
}

const NAMES = ['batch', 'data', 'default', 'edge', 'kube-system', 'monitoring', 'shop'];
const ANSWERS: Readonly<Record<string, unknown>> = {
  '/info': INFO,
  '/token': { token: 'fake' },
  '/sign-in': { token: 'fake' },
  '/sign-out': { token: 'fake' },
  '/contexts': { revision: 1, contexts: FAKE_CONTEXTS.map(fakeContext) },
  namespaces: { namespaces: [...NAMES.map((name) => ({ name })), { name: 'vault', denied: VAULT }] },
};

function streamWorkloads(context: string, response: ServerResponse): void {
  response.setHeader('content-type', 'application/x-ndjson');
  response.flushHeaders();
  const send = (frame: WorkloadFrame) => response.write(`${JSON.stringify(frame)}\n`);
  if (context === 'slow') return;
  if (context === 'unreachable') {
    send({ type: 'state', state: 'failed', error: REFUSED });
    return;
  }
  const { workloads, pods } =
    context === 'large' ? largeCluster(10_000, Date.now()) : drawnCluster(Date.now(), context === 'agent');
  const shown = context === 'empty' ? [] : workloads;
  send({ type: 'state', state: 'live' });
  send({ type: 'snapshot', workloads: shown.slice(0, 500), pods: context === 'empty' ? 0 : pods });
  for (let at = 500; at < shown.length; at += 500)
    send({ type: 'more', workloads: shown.slice(at, at + 500) });
  if (context === 'prod-eu') send({ type: 'denied', namespace: 'vault', error: VAULT });
  if (context === 'denied') {
    const all = { ...VAULT, what: 'you lack permission to list pods in any namespace' };
    send({ type: 'denied', namespace: 'vault', error: VAULT });
    send({
      type: 'denied',
      namespace: 'secrets',
      error: { ...VAULT, denied: { ...VAULT.denied!, namespace: 'secrets' } },
    });
    send({ type: 'denied', error: all });
  }
  send({ type: 'synced' });
  if (context === 'churn') churn(shown, send, response);
  if (context !== 'large') return;
  let count = 0;
  const timer = setInterval(() => {
    const first = shown[(count++ * 7) % shown.length];
    if (first === undefined) return;
    send({ type: 'changes', changed: [{ ...first, restarts: first.restarts + 1 }], removed: [], pods });
  }, 250);
  response.on('close', () => clearInterval(timer));
}

/** Each second one row goes, and comes back with the next. */
function churn(
  shown: readonly Workload[],
  send: (frame: WorkloadFrame) => void,
  response: ServerResponse,
): void {
  let count = 0;
  const timer = setInterval(() => {
    const gone = shown[count++ % 10];
    const back = shown[(count + 8) % 10];
    if (gone === undefined || back === undefined) return;
    send({
      type: 'changes',
      changed: [{ ...back, id: `${back.id}-${count}` }],
      removed: [gone.id],
      pods: 10,
    });
  }, 1_000);
  response.on('close', () => clearInterval(timer));
}

function json(response: ServerResponse, body: unknown): void {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(body));
}
