import { request as httpRequest, type IncomingMessage } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { folder } from '../../../../test/support/connection/kubeconfig-folder.ts';
import { openClusterOfPeople } from '../../../../test/support/server/cluster-of-people.ts';
import { type GoodRequest, goodRequests } from '../../../../test/support/server/good-requests.ts';
import { podEnvironment, writeServiceAccount } from '../../../../test/support/server/service-account.ts';
import { cookieOf } from '../../../../test/support/server/signed-in.ts';
import { optionsOn } from '../../../../test/support/server/start-dashboard.ts';
import { createDashboard } from './create-dashboard.ts';
import { listen } from './node.ts';

const people = openClusterOfPeople();

/**
 * Starts the server as in a pod: service account files, the address of the API server in the environment, all
 * addresses.
 */
async function servePod(ownToken: string) {
  const serviceAccountDirectory = await folder();
  await writeServiceAccount(serviceAccountDirectory, people.cluster.kubeconfig, ownToken);
  const dashboard = await createDashboard(
    optionsOn('', {
      kubeconfig: undefined,
      env: podEnvironment(people.cluster.server),
      inCluster: true,
      serviceAccountDirectory,
      auth: 'kubernetes',
      host: '0.0.0.0',
      allowedHosts: ['logs.example.com'],
    }),
  );
  const server = await listen(dashboard.fetch, { host: '0.0.0.0', port: 0, mayMove: false });
  onTestFinished(async () => {
    dashboard.endStreams('shutdown');
    await server.close();
    await dashboard.close();
  });
  return { port: server.port, serviceAccountDirectory };
}

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: object | undefined;
}

/** Sends what a person's browser sends, through proxies: a proxy reports the host, and that it ended TLS. */
function ask(port: number, { method = 'GET', path, headers, body }: Sent): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: {
          host: 'logs.example.com',
          'x-forwarded-proto': 'https',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
      },
      resolve,
    );
    sent.once('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

/** Reads until the stream contains that text. */
async function untilReported(answer: IncomingMessage, text: string): Promise<string> {
  let seen = '';
  for await (const chunk of answer) {
    seen += String(chunk);
    if (seen.includes(text)) break;
  }
  return seen;
}

async function signIn(port: number, token: string) {
  const answer = await ask(port, {
    method: 'POST',
    path: '/api/v1/sign-in',
    headers: { origin: 'https://logs.example.com' },
    body: { token },
  });
  const lines = answer.headers['set-cookie'] ?? [];
  const body = JSON.parse(await textOf(answer)) as { readonly token: string };
  expect(answer.statusCode).toBe(200);
  for (const line of lines) expect(line).toMatch(/; HttpOnly; SameSite=Strict; Secure$/);
  const headers = new Headers(lines.map((line): [string, string] => ['set-cookie', line]));
  return { cookie: cookieOf(new Response(null, { headers })), 'x-logtool-token': body.token };
}

/** Collects what a person sees of the pods and logs of the namespace, and of everything else. */
async function seenBy(port: number, token: string) {
  const headers = await signIn(port, token);
  const good: Readonly<Record<string, GoodRequest>> = goodRequests('in-cluster', headers['x-logtool-token']);
  const get = async (name: string) => {
    const { method, path, body } = good[name] ?? { method: 'GET', path: name };
    return ask(port, { method, path: `/api/v1${path}`, headers, body });
  };
  const logs = await get('POST /contexts/{context}/logs');
  return {
    contexts: JSON.parse(await textOf(await get('GET /contexts'))) as object,
    info: JSON.parse(await textOf(await get('GET /info'))) as object,
    workloads: await untilReported(await get('GET /contexts/{context}/workloads'), '"synced"'),
    logs: await untilReported(logs, token === people.tokenOf('nobody') ? '"notice"' : 'web line 20'),
    download: await textOf(await get('GET /contexts/{context}/logs/download')),
  };
}

test.each(['nobody', 'bad-token'])(
  'in a pod everyone sees what their own token allows; the account of the pod (%s) is never asked for it',
  async (account) => {
    const { port } = await servePod(people.tokenOf(account));
    const [full, nobody] = await Promise.all([
      seenBy(port, people.tokenOf('full')),
      seenBy(port, people.tokenOf('nobody')),
    ]);
    expect([full.info, nobody.info]).toMatchObject([
      { user: 'full', isInCluster: true, auth: 'kubernetes' },
      { user: 'nobody', isInCluster: true, auth: 'kubernetes' },
    ]);
    expect(full.contexts).toMatchObject({
      contexts: [{ name: 'in-cluster', namespace: 'shop', isCurrent: true, reachability: 'reachable' }],
    });
    expect(full.workloads).toContain('"elsewhere"');
    expect(full.download).toContain('web line 20');
    expect(JSON.stringify(nobody)).not.toMatch(/web line|elsewhere/);
    expect(nobody.logs).toContain('forbidden');
    expect(JSON.stringify([full, nobody])).not.toContain(people.tokenOf('full'));
  },
);

test('without a token of their own nobody is asked for, and nothing is shown', async () => {
  const { port } = await servePod(people.tokenOf('full'));
  const seen = people.cluster.requests.length;
  for (const [name, { method, path, body }] of Object.entries(goodRequests('in-cluster', 'x'))) {
    const answer = await ask(port, { method, path: `/api/v1${path}`, body });
    expect([name, answer.statusCode]).toEqual([name, 401]);
    answer.resume();
  }
  expect(people.cluster.requests.length).toBe(seen);
});

test.each([
  ['a probe, which asks by address', { host: '10.1.2.3:7500' }, '/healthz', 200],
  [
    'a port forwarded to any port',
    { host: 'localhost:43210', 'x-forwarded-proto': 'http' },
    '/api/v1/info',
    401,
  ],
  [
    'a page on a forwarded port',
    { host: 'localhost:43210', origin: 'http://localhost:43210', 'x-forwarded-proto': 'http' },
    '/api/v1/info',
    401,
  ],
  [
    'a forwarded port of an address',
    { host: '127.0.0.1:1', origin: 'http://127.0.0.1:1', 'x-forwarded-proto': 'http' },
    '/api/v1/info',
    401,
  ],
  ['a service that nobody named', { host: 'logtool.tools.svc:7500' }, '/api/v1/info', 421],
])('%s: %j', async (_, headers, path, status) => {
  const { port } = await servePod(people.tokenOf('nobody'));
  const answer = await ask(port, { path, headers });
  answer.resume();
  expect(answer.statusCode).toBe(status);
});
