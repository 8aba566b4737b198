import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { load } from 'js-yaml';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { NodeAgent } from '../../node-agent.ts';
import { createStore } from '../../store/memory-store.ts';
import type { Store } from '../../store/store.ts';
import { type ApiServer, startApiServer } from './server.ts';

let directory: string;
let store: Store;
let server: ApiServer;
let token: string;

/** Writes one line at once, and then nothing until the client disconnects or the server stops. */
const agent: NodeAgent = {
  containerLog: async ({ signal, follow }) => ({ kind: 'stream', body: oneLine(signal, follow) }),
  proxied: () => Promise.reject(new Error('no test asks for a node')),
};

async function* oneLine(signal: AbortSignal, follow: boolean): AsyncIterable<Uint8Array> {
  yield Buffer.from('first line\n');
  if (!follow || signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'api-server-'));
  store = createStore({ clock: systemClock });
  store.create('namespaces', namespace('default'));
  store.create('pods', pod('web-0'));
  const users = [{ name: 'dev', auth: 'token' as const, groups: ['system:masters'] }];
  server = await startApiServer({ store, clock: systemClock, directory, nodeAgent: agent, users });
  token = await tokenOf('dev');
});
afterEach(async () => {
  await server.close();
  await rm(directory, { recursive: true });
});

function namespace(name: string) {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name }, status: { phase: 'Active' } };
}

function pod(name: string) {
  const metadata = { name, namespace: 'default', labels: { app: 'web' } };
  const spec = { nodeName: 'node-1', containers: [{ name: 'main', image: 'web:1' }] };
  return { apiVersion: 'v1', kind: 'Pod', metadata, spec, status: { phase: 'Running' } };
}

async function tokenOf(user: string): Promise<string> {
  const config = load(await readFile(server.kubeconfig, 'utf8')) as {
    users: { name: string; user: { token?: string } }[];
  };
  return config.users.find(({ name }) => name === user)?.user.token ?? '';
}

interface Got {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Whether the body ended properly. */
  readonly complete: boolean;
  readonly chunks: number;
}

/** Makes a GET over HTTP/1.1. `onData` gets the body so far. */
function get(path: string, onData?: (body: string) => void, accept = '*/*'): Promise<Got> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, accept };
    const options = { agent: false, ca: server.caCertificate, headers };
    const outgoing = httpsRequest(`${server.url}${path}`, options, (response) => {
      let body = '';
      let chunks = 0;
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        body += text;
        chunks += 1;
        onData?.(body);
      });
      const done = (complete: boolean) =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body, complete, chunks });
      response.on('end', () => done(true));
      response.on('error', () => done(false));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

const LOG = '/api/v1/namespaces/default/pods/web-0/log';
const PODS = '/api/v1/namespaces/default/pods';

describe('stop and start', () => {
  test('a watch ends in order and a log is broken off when the server stops', async () => {
    const watch = get(`${PODS}?watch=true`, () => stopOnce());
    let waiting = 2;
    const stopOnce = () => {
      waiting -= 1;
      if (waiting === 0) void server.stop();
    };
    const log = get(`${LOG}?follow=true`, () => stopOnce());
    expect((await watch).complete).toBe(true);
    const cut = await log;
    expect([cut.body, cut.complete]).toEqual(['first line\n', false]);
  });

  test('it comes back on the same port, and earlier versions are too old for a watch', async () => {
    const before = (JSON.parse((await get(PODS)).body) as { metadata: { resourceVersion: string } }).metadata;
    const { url } = server;
    await server.stop();
    await expect(get(PODS)).rejects.toThrow(/ECONNREFUSED/);
    await server.start();
    expect(server.url).toBe(url);
    const watch = await get(`${PODS}?watch=true&resourceVersion=${before.resourceVersion}`);
    expect(watch.status).toBe(200);
    expect(JSON.parse(watch.body)).toMatchObject({
      type: 'ERROR',
      object: { code: 410, reason: 'Expired', message: /^too old resource version: \d+ \(\d+\)$/ },
    });
  });
});

function post(path: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const options = { agent: false, ca: server.caCertificate, headers, method: 'POST' };
    const request = httpsRequest(`${server.url}${path}`, options, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    request.on('error', reject);
    request.end(body);
  });
}

test('a client that accepts only protobuf gets it, for lists and errors too; one that also accepts JSON gets JSON', async () => {
  const protobuf = 'application/vnd.kubernetes.protobuf';
  for (const path of [`${PODS}/web-0`, PODS, `${PODS}/nobody`]) {
    const got = await get(path, undefined, protobuf);
    expect(got.headers['content-type']).toBe(protobuf);
    expect(got.body.slice(0, 4)).toBe('k8s\0');
    expect(got.body).toContain(path.endsWith('nobody') ? 'pods "nobody" not found' : 'web:1');
  }
  const both = await get(PODS, undefined, `${protobuf},application/json`);
  expect(both.headers['content-type']).toBe('application/json');
});

describe('faults', () => {
  const longLog = 'first line\n';

  test('reset cuts the connection after this many bytes', async () => {
    server.inject({ kind: 'reset', match: '/log', afterBytes: 5, times: 1 });
    const got = await get(LOG);
    expect([got.body, got.complete]).toEqual(['first', false]);
    expect((await get(LOG)).body).toBe(longLog);
    expect(server.faultsHit).toBe(1);
  });

  test('clean-end ends the body in order after this many bytes', async () => {
    server.inject({ kind: 'clean-end', match: '/log', afterBytes: 5 });
    const got = await get(LOG);
    expect([got.body, got.complete]).toEqual(['first', true]);
  });

  test('drop-request cuts before anything is done, drop-answer after all is done', async () => {
    for (const [kind, made] of [
      ['drop-request', false],
      ['drop-answer', true],
    ] as const) {
      server.inject({ kind, match: '^POST .*/configmaps', times: 1 });
      const body = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: kind } });
      await expect(post('/api/v1/namespaces/default/configmaps', body)).rejects.toThrow();
      expect(store.get('configmaps', 'default', kind) !== undefined).toBe(made);
    }
  });

  test('split sends chunks of this many bytes', async () => {
    server.inject({ kind: 'split', match: '/log', chunkBytes: 1 });
    const got = await get(LOG);
    expect(got.body).toBe(longLog);
    expect(got.chunks).toBeGreaterThan(1);
  });

  test('stall and delay only take time', async () => {
    server.inject({ kind: 'stall', match: '/log', afterBytes: 3, delayMs: 5 });
    server.inject({ kind: 'delay', match: '/log', delayMs: 5 });
    expect((await get(LOG)).body).toBe(longLog);
  });

  test('status answers with a Status, and says when to come again', async () => {
    server.inject({
      kind: 'status',
      status: 429,
      retryAfterSeconds: 7,
      match: 'GET .*/pods$',
      skip: 1,
      times: 1,
    });
    expect((await get(PODS)).status).toBe(200);
    const refused = await get(PODS);
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('7');
    expect(JSON.parse(refused.body)).toMatchObject({ kind: 'Status', reason: 'TooManyRequests' });
    expect((await get(PODS)).status).toBe(200);
  });

  test('status 200 answers with a text, as a failing kubelet does', async () => {
    const text = 'unable to retrieve container logs for containerd://abc';
    server.inject({ kind: 'status', status: 200, text, match: '/log' });
    const got = await get(LOG);
    expect([got.status, got.body]).toEqual([200, text]);
  });

  test('truncate-json ends a list in the middle', async () => {
    server.inject({ kind: 'truncate-json', match: '/pods$' });
    const got = await get(PODS);
    expect(got.complete).toBe(true);
    expect(() => JSON.parse(got.body)).toThrow(SyntaxError);
    server.clearFaults();
    expect(JSON.parse((await get(PODS)).body)).toMatchObject({ kind: 'PodList' });
  });

  test('drop-watch cuts a watch that runs, expire-watch says 410 and ends it', async () => {
    const dropped = await get(`${PODS}?watch=true`, () => server.inject({ kind: 'drop-watch', times: 1 }));
    expect(dropped.complete).toBe(false);
    let injected = false;
    const expired = await get(`${PODS}?watch=true`, () => {
      if (!injected) server.inject({ kind: 'expire-watch', times: 1 });
      injected = true;
    });
    const lines = expired.body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
    expect(lines.map(({ type }) => type)).toEqual(['ADDED', 'ERROR']);
    expect(expired.complete).toBe(true);
    expect(server.faultsHit).toBe(2);
  });
});

test('HTTP/2 is spoken as well, and requests are remembered', async () => {
  const session = connect(server.url, { ca: server.caCertificate });
  const body = await new Promise<string>((resolve, reject) => {
    const stream = session.request({ ':path': `${PODS}?limit=1`, authorization: `Bearer ${token}` });
    let text = '';
    stream.setEncoding('utf8');
    stream.on('data', (chunk: string) => {
      text += chunk;
    });
    stream.on('end', () => resolve(text));
    stream.on('error', reject);
  });
  session.close();
  expect(JSON.parse(body)).toMatchObject({ kind: 'PodList', items: [{ metadata: { name: 'web-0' } }] });
  expect(server.requests).toEqual([`GET ${PODS}?limit=1`]);
});

test('a body larger than the limit is refused, and the server lives', async () => {
  const status = await new Promise<number>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const options = { method: 'POST', agent: false, ca: server.caCertificate, headers };
    const outgoing = httpsRequest(`${server.url}${PODS}`, options, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    outgoing.on('error', reject);
    outgoing.end(Buffer.alloc(3.5 * 1024 * 1024, 0x20));
  });
  expect(status).toBe(413);
  expect((await get(PODS)).status).toBe(200);
});
