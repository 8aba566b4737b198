import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { buildCli } from '../../support/program/build-cli.ts';
import { tokensOf } from '../../support/server/signed-in.ts';

let cluster: SimCluster;
let cli: Awaited<ReturnType<typeof buildCli>>;
beforeAll(async () => {
  [cluster, cli] = await Promise.all([
    startSimCluster({ scenario: 'scenarios/permissions.yaml' }),
    buildCli(),
  ]);
});
afterAll(async () => {
  await cluster?.close();
  await cli?.remove();
});

interface Serving {
  readonly child: ChildProcess;
  readonly base: string;
  readonly port: number;
  readonly exit: Promise<readonly unknown[]>;
  /** Everything printed so far. */
  printed(): string;
}

async function serve(...argv: readonly string[]): Promise<Serving> {
  const [file, ...args] = cli.command;
  const child = spawn(
    file,
    [...args, 'serve', '--port=0', '--skip-open', `--kubeconfig=${cluster.kubeconfig}`, ...argv],
    { env: { PATH: process.env.PATH, HOME: cli.folder } },
  );
  onTestFinished(() => void child.kill('SIGKILL'));
  const exit = once(child, 'exit');
  let printed = '';
  const address = new Promise<string>((resolve, reject) => {
    const onOutput = (chunk: Buffer) => {
      printed += chunk;
      const found = /^logtool dashboard: (http:\S+)$/m.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on('data', onOutput);
    child.stderr.on('data', onOutput);
    void exit.then(() => reject(new Error(`it ended: ${printed}`)));
  });
  const { port } = new URL(await address);
  return {
    child,
    base: `http://localhost:${port}/api/v1`,
    port: Number(port),
    exit,
    printed: () => printed,
  };
}

const QUERY = JSON.stringify({
  queries: [{ id: 1, sources: ['deployments/*'], selection: { kind: 'tail', count: 10 }, follow: true }],
});

/**
 * Measures how long the server takes to end while one stream is read, another is stalled and a third client
 * has sent half a request.
 */
async function timeOfEnding(): Promise<number> {
  const { child, base, port, exit } = await serve();
  const { token } = (await (await fetch(`${base}/token`)).json()) as { token: string };
  const headers = { 'content-type': 'application/json', 'x-logtool-token': token };
  const read = await fetch(`${base}/contexts/full/logs`, { method: 'POST', headers, body: QUERY });
  const text = read.text();
  const head = `Host: localhost:${port}\r\nX-Logtool-Token: ${token}\r\n`;
  const others = [
    `GET /api/v1/contexts/full/workloads HTTP/1.1\r\n${head}\r\n`,
    `POST /api/v1/contexts/full/access HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n123`,
  ].map((request) => {
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    socket.on('error', () => {});
    socket.write(request);
    return socket;
  });
  await Promise.all(others.slice(0, 1).map((socket) => once(socket, 'readable')));
  const startMs = performance.now();
  child.kill('SIGINT');
  expect(await exit).toEqual([130, null]);
  const tookMs = performance.now() - startMs;
  expect(JSON.parse((await text).trimEnd().split('\n').at(-1) ?? '')).toEqual({
    type: 'closing',
    reason: 'shutdown',
  });
  return tookMs;
}

test('Ctrl-C notifies the open streams, waits for none and ends within a second', async () => {
  const times = [await timeOfEnding()];
  // A busy machine may take longer once, but not every time.
  while (times.length < 5 && Math.min(...times) >= 1_000) times.push(await timeOfEnding());
  expect(Math.min(...times)).toBeLessThan(1_000);
});

test('nothing that it prints holds a token, a cookie or a key, however much it says', async () => {
  const { child, base, exit, printed } = await serve('--auth=kubernetes', '--log-level=debug');
  const tokens = await tokensOf(cluster.kubeconfig);
  const token = tokens.get('full') ?? '';
  const headers = { 'content-type': 'application/json' };
  const signIn = (given: string) =>
    fetch(`${base}/sign-in`, { method: 'POST', headers, body: JSON.stringify({ token: given }) });
  const answer = await signIn(token);
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const { token: pageToken } = (await answer.json()) as { token: string };
  const own = { ...headers, cookie, 'x-logtool-token': pageToken };
  const query = JSON.stringify({ id: 1, sources: ['pods/db-0'], selection: { kind: 'all' } });
  const asked: readonly (readonly [string, RequestInit])[] = [
    ['/contexts?check=full', { headers: own }],
    ['/contexts/full/namespaces', { headers: own }],
    [
      `/contexts/full/logs/download?${new URLSearchParams({ format: 'text', token: pageToken, query })}`,
      { headers: own },
    ],
    ['/info', { headers: { authorization: `Bearer ${tokens.get('no-watch')}` } }],
    ['/info', { headers: { authorization: `Bearer ${tokens.get('bad-token')}` } }],
    [`/../../?token=${token}`, {}],
    ['/contexts/full/access', { method: 'POST', headers: own, body: `{"sources":["${token}:x:y"]}` }],
  ];
  for (const [path, init] of asked) await (await fetch(base + path, init)).text();
  expect((await signIn(tokens.get('bad-token') ?? '')).status).toBe(401);
  child.kill('SIGINT');
  await exit;
  const secrets = [...tokens.values(), pageToken, cookie.split('=')[1] ?? ''];
  expect(secrets.every((secret) => secret.length > 20)).toBe(true);
  expect(printed()).toContain('asked the cluster');
  expect(printed()).toContain('/sign-in');
  for (const secret of secrets) expect(printed()).not.toContain(secret);
});
