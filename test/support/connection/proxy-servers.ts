import { createServer, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Socket } from 'node:net';
import type { TestCertificate } from '../tls-server/certificates.ts';

export interface ProxyFixture {
  readonly port: number;
  /** `host:port` of each requested tunnel. */
  readonly targets: string[];
  /** `user:password` of each requested tunnel. */
  readonly logins: string[];
  close(): Promise<void>;
}

/**
 * Starts a real CONNECT proxy; with a certificate it speaks TLS itself. A `status` other than 200 refuses.
 */
export async function startConnectProxy(
  options: { readonly certificate?: TestCertificate; readonly status?: string; readonly to?: number } = {},
): Promise<ProxyFixture> {
  const targets: string[] = [];
  const logins: string[] = [];
  const server: Server =
    options.certificate === undefined ? createServer() : createTlsServer({ ...options.certificate });
  server.on('connect', (request, socket: Socket, head: Buffer) => {
    socket.on('error', () => {});
    targets.push(request.url ?? '');
    const login = request.headers['proxy-authorization']?.replace('Basic ', '') ?? '';
    logins.push(Buffer.from(login, 'base64').toString('utf8'));
    if (options.status !== undefined) {
      socket.end(`HTTP/1.1 ${options.status}\r\n\r\n`);
      return;
    }
    const upstream = connect(options.to ?? Number(request.url?.split(':').pop()), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\nVia: test\r\n\r\n');
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
  });
  return listening(server, targets, logins);
}

/**
 * Starts a real SOCKS5 proxy (RFC 1928, 1929). A `reply` other than 0 refuses; `login` makes it ask for user
 * and password.
 */
export async function startSocksProxy(
  options: { readonly login?: string; readonly reply?: number; readonly to?: number } = {},
): Promise<ProxyFixture> {
  const targets: string[] = [];
  const logins: string[] = [];
  const serve = async (socket: Socket) => {
    const bytes = reader(socket);
    if (!(await negotiate(socket, bytes, options.login, logins))) return void socket.end();
    const { host, port } = await requestedTarget(bytes);
    targets.push(`${host}:${port}`);
    if (options.reply) return void socket.end(Buffer.from([5, options.reply, 0, 1, 0, 0, 0, 0, 0, 0]));
    const upstream = connect(options.to ?? port, '127.0.0.1', () => {
      // Sends the bound address as a name, so that the client must read its length.
      socket.write(Buffer.from([5, 0, 0, 3, 2, 0x61, 0x62, 0, 80]));
      upstream.pipe(socket).pipe(upstream);
    });
    upstream.on('error', () => socket.destroy());
  };
  const server = createTcpServer((socket) => {
    socket.on('error', () => {});
    serve(socket).catch(() => socket.destroy());
  });
  return listening(server, targets, logins);
}

type Reader = ReturnType<typeof reader>;

/** Answers the offered methods, and checks user and password if they are wanted. Returns false for a refused client. */
async function negotiate(
  socket: Socket,
  bytes: Reader,
  login: string | undefined,
  logins: string[],
): Promise<boolean> {
  const [, methods = 0] = await bytes(2);
  const offered = [...(await bytes(methods))];
  const method = login === undefined ? 0 : 2;
  const isOffered = offered.includes(method);
  socket.write(Buffer.from([5, isOffered ? method : 0xff]));
  if (!isOffered || method === 0) return isOffered;
  const user = await bytes((await bytes(2))[1] ?? 0);
  const password = await bytes((await bytes(1))[0] ?? 0);
  logins.push(`${user}:${password}`);
  const isRight = `${user}:${password}` === login;
  socket.write(Buffer.from([1, isRight ? 0 : 1]));
  return isRight;
}

/** Reads the address that the client wants: IPv4, IPv6 or a name. */
async function requestedTarget(bytes: Reader): Promise<{ readonly host: string; readonly port: number }> {
  const [, , , kind] = await bytes(4);
  const host = await hostOf(kind, bytes);
  return { host, port: (await bytes(2)).readUInt16BE() };
}

async function hostOf(kind: number | undefined, bytes: Reader): Promise<string> {
  if (kind === 1) return [...(await bytes(4))].join('.');
  if (kind === 4) return (await bytes(16)).toString('hex');
  return (await bytes((await bytes(1))[0] ?? 0)).toString('utf8');
}

function reader(socket: Socket): (count: number) => Promise<Buffer> {
  return (count) =>
    new Promise((resolve, reject) => {
      const onEnd = () => reject(new Error('ended'));
      const tryRead = () => {
        const bytes = count === 0 ? Buffer.alloc(0) : (socket.read(count) as Buffer | null);
        if (bytes === null) return;
        socket.off('readable', tryRead).off('end', onEnd);
        resolve(bytes);
      };
      socket.on('readable', tryRead).once('end', onEnd);
      tryRead();
    });
}

async function listening(
  server: Server | ReturnType<typeof createTcpServer>,
  targets: string[],
  logins: string[],
): Promise<ProxyFixture> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    targets,
    logins,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
