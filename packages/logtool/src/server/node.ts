import { createServer, type IncomingMessage, Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { ListenPurpose } from '../contract/server-failures.ts';
import { ConnectionLimits } from './connections/connection-limits.ts';
import { cameOver } from './connections/peer.ts';
import { type ListenTrouble, serverFailure } from './failures.ts';

/** The download's address contains a whole query, which can exceed Node's 16 KiB of headers. */
const MAX_HEADER_BYTES = 128 * 1024;
/** Longer than the 60 s after which proxies close idle connections, so that none is closed during a request. */
const KEEP_ALIVE_MS = 65_000;
/** Time limit for the headers of a request, and for a connection without a request. */
const HEADERS_TIMEOUT_MS = 20_000;
/** Time limit until a whole request has arrived; bodies have a shorter one (limit-body.ts). */
const REQUEST_TIMEOUT_MS = 30_000;
/** How often the server checks both limits. */
const TIMEOUT_CHECK_MS = 5_000;
/** How many ports to try in addition to the default one. */
const MORE_PORTS = 100;
const ENDING_MS = 500;
const SWEEP_MS = 20;

export interface ListenOptions {
  /** `localhost` means both 127.0.0.1 and ::1. */
  readonly host: string;
  readonly port: number;
  /** The port is implicit: if it is taken, use the next free one. */
  readonly mayMove: boolean;
  /** The listener's purpose, for messages; defaults to the dashboard. */
  readonly purpose?: ListenPurpose;
  /** How long answers in progress may take to end when the server closes, in ms; defaults to half a second. */
  readonly endingMs?: number;
}

export interface Listening {
  readonly port: number;
  /** Ends soon after `endingMs` at the latest: then answers in progress are cut. */
  close(): Promise<void>;
}

/** Answers a request; `env` has Node's answer (`outgoing`), whose connection can be closed. */
export type Answer = (request: Request, env?: object) => Response | Promise<Response>;

/** Serves a function from Request to Response over HTTP. Throws CodedError if it cannot listen. */
export async function listen(
  fetch: Answer,
  { host, port, mayMove, purpose = 'dashboard', endingMs = ENDING_MS }: ListenOptions,
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
    return { port: portOf(servers), close: () => closeAll(servers, endingMs) };
  }
  throw serverFailure('port-taken', { host, port, purpose, to: most }, USAGE);
}

interface Handle {
  connect(socket: Socket): void;
  answer(incoming: IncomingMessage, outgoing: ServerResponse): void;
}

/** All addresses of the server share one set of limits. */
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

/** Returns undefined if the port is taken on one of the addresses. Skips an address that this machine does not have. */
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

/** Returns why a machine does not let a program listen, by the system's code. */
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

async function closeAll(servers: readonly Server[], endingMs: number): Promise<void> {
  const ends = servers.map((server) => new Promise((resolve) => server.close(resolve)));
  const closeIdle = () => {
    for (const server of servers) server.closeIdleConnections();
  };
  closeIdle();
  // After a stream ends, a browser keeps its connection open for reuse.
  const sweep = setInterval(closeIdle, SWEEP_MS);
  const timer = setTimeout(() => {
    for (const server of servers) server.closeAllConnections();
  }, endingMs);
  await Promise.all(ends);
  clearInterval(sweep);
  clearTimeout(timer);
}
