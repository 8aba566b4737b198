import { isIP, type Socket } from 'node:net';
import type { Clock } from '../values/clock.ts';
import type { CodedError } from '../values/coded-error.ts';
import type { ConnectStep, KubeProblem } from '../values/problems.ts';
import { guarded } from './dial.ts';
import { type ProxyServer, proxyRefused } from './proxy.ts';

/**
 * Requests a connection from a SOCKS5 proxy (RFC 1928; user and password RFC 1929) over a socket that is connected to
 * it. The proxy resolves names. Rejects with CodedError `proxy-refused`, or as `guarded` does.
 */
export async function socks5(
  socket: Socket,
  proxy: ProxyServer,
  host: string,
  port: number,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<void> {
  const target = `${host}:${port}`;
  const refuse = (problem: KubeProblem): CodedError => proxyRefused(proxy, target, problem);
  const read = (count: number) =>
    take(socket, count, refuse, { step: 'proxy', to: proxy.shown }, clock, signal);
  try {
    await greet();
    await ask();
  } catch (error) {
    socket.destroy();
    throw error;
  }

  async function greet(): Promise<void> {
    const withLogin = proxy.username !== '';
    socket.write(Buffer.from(withLogin ? [5, 2, 0, 2] : [5, 1, 0]));
    const [version, method] = await read(2);
    if (version !== 5) throw refuse({ code: 'socks-not-spoken', data: {} });
    if (method === 0) return;
    if (method !== 2 || !withLogin) throw refuse({ code: 'socks-login-missing', data: {} });
    const user = Buffer.from(proxy.username, 'utf8');
    const password = Buffer.from(proxy.password, 'utf8');
    if (user.length > 255 || password.length > 255) throw refuse({ code: 'socks-login-too-long', data: {} });
    socket.write(
      Buffer.concat([Buffer.from([1, user.length]), user, Buffer.from([password.length]), password]),
    );
    const [, status] = await read(2);
    if (status !== 0) throw refuse({ code: 'socks-login-refused', data: {} });
  }

  async function ask(): Promise<void> {
    const at = Buffer.alloc(2);
    at.writeUInt16BE(port);
    socket.write(Buffer.concat([Buffer.from([5, 1, 0]), address(), at]));
    const [, reply = 1, , kind] = await read(4);
    if (reply !== 0) throw refuse({ code: 'socks-reply', data: { reply } });
    const length = kind === 1 ? 4 : kind === 4 ? 16 : kind === 3 ? ((await read(1))[0] ?? 0) : undefined;
    if (length === undefined) throw refuse({ code: 'socks-answer', data: {} });
    await read(length + 2);
  }

  function address(): Buffer {
    if (isIP(host) === 4) return Buffer.from([1, ...host.split('.').map(Number)]);
    if (isIP(host) === 6) return Buffer.concat([Buffer.from([4]), ipv6Bytes(host)]);
    const name = Buffer.from(host, 'utf8');
    if (name.length > 255) throw refuse({ code: 'socks-name-too-long', data: {} });
    return Buffer.concat([Buffer.from([3, name.length]), name]);
  }
}

/**
 * Returns the 16 bytes of an IPv6 address; the URL parser has already reduced it to its shortest form, without dots.
 */
function ipv6Bytes(host: string): Buffer {
  const [left = '', right] = host.split('::');
  const head = left === '' ? [] : left.split(':');
  const tail = right === undefined || right === '' ? [] : right.split(':');
  const groups = [...head, ...Array<string>(8 - head.length - tail.length).fill('0'), ...tail];
  const bytes = Buffer.alloc(16);
  for (const [i, group] of groups.entries()) bytes.writeUInt16BE(Number.parseInt(group, 16), i * 2);
  return bytes;
}

/** Reads exactly `count` bytes; leaves the rest in the socket. */
function take(
  socket: Socket,
  count: number,
  refuse: (problem: KubeProblem) => CodedError,
  step: ConnectStep,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  return guarded(socket, step, clock, signal, (resolve, reject) => {
    const read = () => {
      const bytes = socket.read(count) as Buffer | null;
      if (bytes === null) return;
      if (bytes.length < count) return reject(refuse({ code: 'proxy-answer-cut', data: {} }));
      socket.off('readable', read);
      resolve(bytes);
    };
    const onEnd = () => reject(refuse({ code: 'proxy-closed', data: {} }));
    socket.on('readable', read).once('end', onEnd);
    queueMicrotask(read);
    return () => socket.off('readable', read).off('end', onEnd);
  });
}
