import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type ServedProcess, serveProcess } from '../../support/dashboard/served-process.ts';
import { tokensOf } from '../../support/server/signed-in.ts';

/** The pod's memory in the chart, and the share that Node uses for the JavaScript heap. */
const POD_MIB = 512;
const HEAP_MIB = POD_MIB / 2;
const CONNECTIONS = 3_000;
/** Only guards against hangs: this many connections take a while on a busy machine. */
const TIMEOUT_MS = 300_000;
const SENT = Buffer.alloc(261_900, 'x');

let cluster: SimCluster;
let server: ServedProcess;
beforeAll(async () => {
  cluster = await startSimCluster({ scenario: 'scenarios/permissions.yaml' });
  server = await serveProcess(cluster.kubeconfig, ['--auth=kubernetes'], {
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MIB}`,
  });
});
afterAll(async () => {
  await server?.remove();
  await cluster?.close();
});

/**
 * Sends chunks over a new connection and nothing more; resolves once they are sent, or the server has closed
 * it.
 */
function sendChunks(port: number, chunks: readonly (string | Buffer)[]): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    for (const event of ['error', 'close', 'drain'] as const) socket.on(event, () => resolve(socket));
    socket.resume();
    for (const piece of chunks) socket.write(piece, () => resolve(socket));
  });
}

/** Opens as many at once as the server's queue for new connections holds. */
async function sendMany(chunks: readonly (string | Buffer)[], count = CONNECTIONS): Promise<void> {
  const port = Number(new URL(server.origin).port);
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  while (sockets.length < count)
    sockets.push(
      ...(await Promise.all(Array.from({ length: Math.min(200, count) }, () => sendChunks(port, chunks)))),
    );
}

/** Uses a new connection: the server may close one that is idle between requests if there are too many. */
function ask(path: string, body?: object): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(
      server.origin + path,
      {
        agent: false,
        method: body === undefined ? 'GET' : 'POST',
        headers: body === undefined ? {} : { 'content-type': 'application/json' },
      },
      async (answer) => {
        let text = '';
        for await (const chunk of answer) text += chunk;
        resolve({ status: answer.statusCode ?? 0, text });
      },
    );
    sent.once('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const statusOf = async (path: string, body?: object) => (await ask(path, body)).status;

/** Returns the process's peak memory since its start. */
function peakMib(): number {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

const signIn = (length: string) =>
  `POST /api/v1/sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n${length}\r\n\r\n`;

test.skipIf(process.platform !== 'linux').each([
  ['bodies that are larger than a sign-in', [signIn('Content-Length: 262000'), SENT]],
  ['bodies as large as a sign-in', [signIn('Content-Length: 17400'), SENT.subarray(0, 17_000)]],
  ['bodies in chunks', [signIn('Transfer-Encoding: chunked'), `${(262_000).toString(16)}\r\n`, SENT]],
  ['headers', [`GET /?${'x'.repeat(120_000)}`]],
])(
  `${CONNECTIONS} connections with unfinished %s leave the page to others, in ${POD_MIB} MiB`,
  async (_, chunks) => {
    await sendMany(chunks);
    expect(server.exit).toBeUndefined();
    expect(await statusOf('/healthz')).toBe(200);
    expect(await statusOf('/')).toBe(200);
    const token = (await tokensOf(cluster.kubeconfig)).get('full') ?? '';
    expect(await statusOf('/api/v1/sign-in', { token })).toBe(200);
    expect(await statusOf('/api/v1/sign-in', { token: 'nobody-knows-it' })).toBe(401);
    expect(peakMib()).toBeLessThan(POD_MIB);
  },
  TIMEOUT_MS,
);

test.skipIf(process.platform !== 'linux')(
  'requests for a large file whose client does not read leave the page to others',
  async () => {
    const script = /src="(\/assets\/index-[^"]+\.js)"/.exec((await ask('/')).text)?.[1];
    expect(script).toBeDefined();
    // As many as arrive at once: the parser does not stop inside data it has read.
    await sendMany([`GET ${script} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(900)], 10);
    expect(server.exit).toBeUndefined();
    expect(await statusOf('/healthz')).toBe(200);
    expect(await statusOf(script ?? '')).toBe(200);
    expect(peakMib()).toBeLessThan(POD_MIB);
  },
  TIMEOUT_MS,
);
