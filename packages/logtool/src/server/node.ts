import { createServer, type IncomingMessage, Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { ListenPurpose } from '../contract/server-failures.ts';
import { ConnectionLimits } from './connections/connection-limits.ts';
import { cameOver } from './connections/peer.ts';
import { type ListenTrouble, serverFailure } from './failures.ts';

/** The download's address carries a whole query: more than Node's 16 KiB of headers. */
const MAX_HEADER_BYTES = 128 * 1024;
/** Longer than the 60 s after which proxies close idle connections, so that none is closed under a request. */
const KEEP_ALIVE_MS = 65_000;
/** How long the headers of a request may take, and a connection that asks for nothing. */
const HEADERS_TIMEOUT_MS = 20_000;
/** How long a whole request may take until all of it has arrived; bodies that are read have less (limit-body.ts). */
const REQUEST_TIMEOUT_MS = 30_000;
/** How often the server checks both. */
const TIMEOUT_CHECK_MS = 5_000;
/** How many ports are tried beside the default one. */
const MORE_PORTS = 100;
/** How long answers in progress have to end by themselves. */
const ENDING_MS = 500;
const SWEEP_MS = 20;

export interface ListenOptions {
  /** `localhost` is both 127.0.0.1 and ::1. */
  readonly host: string;
  readonly port: number;
  /** An implicit port: if it is taken, use the next free one. */
  readonly mayMove: boolean;
  /** What listens there, for messages: the dashboard if it is left out. */
  readonly purpose?: ListenPurpose;
}

export interface Listening {
  readonly port: number;
  /** Ends within a second: answers in progress get half of one to end by themselves. */
  close(): Promise<void>;
}

/** Answers a request; `env` has the answer as Node has it (`outgoing`), which can be cut off. */
export type Answer = (request: Request, env?: object) => Response | Promise<Response>;

/** Serves a function from Request to Response over HTTP. Throws CodedError if it cannot listen. */
export async function listen(
  fetch: Answer,
  { host, port, mayMove, purpose = 'dashboard' }: ListenOptions,
): Promise<Listening> {
  const limits = new ConnectionLimits();
  const handle = limitedListener(fetch, limits);
  const hosts = host === 'localhost' ? ['127.0.0.1', '::1'] : [host];
  const most = mayMove && port !== 0 ? Math.min(port + MORE_PORTS, 65_535) : port;
  for (let candidate = port; candidate <= most; candidate++) {
    const servers = await listenOnAll(handle, hosts, candidate, purpose);
    if (servers === undefined) {
      if (!mayMove) throw serverFailure('port-taken', { host, port, purpose }, USAGE);
      continue;
    }
    return { port: portOf(servers), close: () => closeAll(servers) };
  }
  throw serverFailure('port-taken', { host, port, purpose, to: most }, USAGE);
}

interface Handle {
  connect(socket: Socket): void;
  answer(incoming: IncomingMessage, outgoing: ServerResponse): void;
}

/** All addresses that the server listens on have their limits together. */
function limitedListener(fetch: Answer, limits: ConnectionLimits): Handle {
  const answer = getRequestListener(
    (request, env) => {
      cameOver(request, limits.of(env.incoming.socket));
      return fetch(request, env);
    },
    { overrideGlobalObjects: false },
  );
  return {
    connect: (socket) => void limits.of(socket),
    answer(incoming, outgoing) {
      const end = limits.of(incoming.socket).serve(() => incoming.complete);
      if (end === undefined) return;
      outgoing.once('close', end);
      void answer(incoming, outgoing);
    },
  };
}

/** Undefined when the port is taken on one of the addresses. An address that this machine does not have is left out. */
async function listenOnAll(
  handle: Handle,
  hosts: readonly string[],
  port: number,
  purpose: ListenPurpose,
): Promise<readonly Server[] | undefined> {
  const servers: Server[] = [];
  for (const host of hosts) {
    const server = await tryToListen(handle, host, servers[0] === undefined ? port : portOf(servers));
    if (server instanceof Server) {
      servers.push(server);
      continue;
    }
    const { code } = server;
    if (servers.length > 0 && (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')) continue;
    for (const other of servers) other.close();
    if (code === 'EADDRINUSE') return undefined;
    throw listenFailure(server, { host, port, purpose });
  }
  return servers;
}

async function tryToListen(
  handle: Handle,
  host: string,
  port: number,
): Promise<Server | NodeJS.ErrnoException> {
  try {
    return await listenOn(handle, host, port);
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
}

const USAGE = { exit: 'usage' } as const;

/** Why a machine does not let a program listen, by the system's code. */
function listenFailure(cause: NodeJS.ErrnoException, trouble: ListenTrouble): CodedError {
  const options = { ...USAGE, cause };
  switch (cause.code) {
    case 'EACCES':
      return serverFailure('port-not-allowed', trouble, options);
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return serverFailure('host-not-here', trouble, options);
    default:
      return serverFailure('cannot-listen', { ...trouble, systemCode: cause.code }, options);
  }
}

function listenOn(handle: Handle, host: string, port: number): Promise<Server> {
  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
    },
    handle.answer,
  );
  server.on('connection', handle.connect);
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', reject);
      resolve(server);
    });
  });
}

function portOf(servers: readonly Server[]): number {
  const address = servers[0]?.address();
  if (typeof address !== 'object' || address === null) throw new Error('the server does not listen');
  return address.port;
}

async function closeAll(servers: readonly Server[]): Promise<void> {
  const ends = servers.map((server) => new Promise((resolve) => server.close(resolve)));
  const closeIdle = () => {
    for (const server of servers) server.closeIdleConnections();
  };
  closeIdle();
  // A browser keeps the connection of a stream that has ended open for what comes next.
  const sweep = setInterval(closeIdle, SWEEP_MS);
  const timer = setTimeout(() => {
    for (const server of servers) server.closeAllConnections();
  }, ENDING_MS);
  await Promise.all(ends);
  clearInterval(sweep);
  clearTimeout(timer);
}
