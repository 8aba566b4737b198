import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { checked, readFault } from '../scenario/check-input.ts';
import { SimClusterError } from '../simcluster-error.ts';
import type { SimCluster } from '../start.ts';
import { CALL_SCHEMAS } from './call-schemas.ts';
import type { ClusterControl } from './cluster-control.ts';

const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** The control endpoint of a running cluster. */
export interface Control {
  /** http://127.0.0.1:PORT */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Lets other processes control a cluster, only over loopback: `POST /events` (one event of a timeline, or a list),
 * `POST /faults` (one fault or a list), `DELETE /faults`, `GET /requests`, `POST /server/stop`, `POST /server/start`,
 * `POST /control/NAME` (a function of ClusterControl with its argument; returns `{ "result": ... }`). Rejects requests
 * from web pages, which have an Origin header.
 */
export async function startControl(cluster: SimCluster, port = 0): Promise<Control> {
  const server = createServer((request, response) => {
    answer(cluster, request)
      .catch((error: unknown) => failure(error))
      .then(({ status, body }) => send(response, status, body));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

async function answer(cluster: SimCluster, request: IncomingMessage): Promise<Answer> {
  const host = (request.headers.host ?? '').replace(/:\d+$/, '');
  if (request.headers.origin !== undefined || (host !== '127.0.0.1' && host !== 'localhost')) {
    return { status: 403, body: { error: 'only programs on this machine may ask' } };
  }
  const line = `${request.method} ${request.url?.split('?')[0]}`;
  const called = /^POST \/control\/(\w+)$/.exec(line)?.[1];
  if (called !== undefined && isFunction(called)) {
    return { status: 200, body: { result: await call(cluster, called, await readJson(request)) } };
  }
  switch (line) {
    case 'POST /events':
      for (const event of listOf(await readJson(request))) await cluster.act(event);
      return { status: 200, body: { done: true } };
    case 'POST /faults':
      for (const fault of listOf(await readJson(request)).map(readFault)) cluster.inject(fault);
      return { status: 200, body: { done: true } };
    case 'DELETE /faults':
      cluster.clearFaults();
      return { status: 200, body: { done: true } };
    case 'GET /requests':
      return { status: 200, body: { requests: cluster.requests, faultsHit: cluster.faultsHit } };
    case 'POST /server/stop':
      await cluster.stopServer();
      return { status: 200, body: { done: true } };
    case 'POST /server/start':
      await cluster.startServer();
      return { status: 200, body: { done: true } };
    default:
      return { status: 404, body: { error: `nothing answers ${request.method} ${request.url}` } };
  }
}

function isFunction(name: string): name is keyof ClusterControl {
  return Object.hasOwn(CALL_SCHEMAS, name);
}

async function call(cluster: SimCluster, name: keyof ClusterControl, argument: unknown): Promise<unknown> {
  const given = checked<unknown>(CALL_SCHEMAS[name], argument, 'call');
  // The schema with that name has checked the function's argument.
  const act = cluster.control[name] as (argument: unknown) => Promise<unknown>;
  return (await act(given)) ?? null;
}

function failure(error: unknown): Answer {
  if (error instanceof SimClusterError) return { status: 400, body: { error: error.what, code: error.code } };
  return { status: 500, body: { error: error instanceof Error ? error.message : String(error) } };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw badBody('the body is larger than 16 MiB');
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch (cause) {
    if (size === 0) return {};
    throw badBody(`the body is not JSON: ${(cause as Error).message}`);
  }
}

function badBody(what: string): SimClusterError {
  return new SimClusterError('body-invalid', { what });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(body)}\n`);
}
