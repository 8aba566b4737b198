import type { Socket } from 'node:net';
import type { Clock } from '../values/clock.ts';
import { guarded } from './dial.ts';
import { type ProxyServer, proxyRefused } from './proxy.ts';

const HEAD_LIMIT_BYTES = 16 * 1024;
const HEAD_END = '\r\n\r\n';

/**
 * Requests a tunnel (RFC 9110 section 9.3.6) from an HTTP proxy over a socket that is connected to it. Rejects with
 * CodedError `proxy-refused`, or as `guarded` does.
 */
export async function tunnel(
  socket: Socket,
  proxy: ProxyServer,
  target: string,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<void> {
  const login = Buffer.from(`${proxy.username}:${proxy.password}`, 'utf8').toString('base64');
  const authorization = proxy.username === '' ? '' : `Proxy-Authorization: Basic ${login}\r\n`;
  socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization}\r\n`);
  const head = await answerHead(socket, proxy, target, clock, signal);
  const status = /^HTTP\/1\.[01] (\d{3})[^\r\n]*/.exec(head);
  if (status?.[1]?.startsWith('2')) return;
  socket.destroy();
  throw proxyRefused(
    proxy,
    target,
    status === null
      ? { code: 'proxy-not-http', data: {} }
      : { code: 'proxy-answered', data: { status: printable(status[0].slice(9)) } },
  );
}

/** Reads up to the empty line and puts what the server already sent after it back into the socket. */
function answerHead(
  socket: Socket,
  proxy: ProxyServer,
  target: string,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<string> {
  return guarded(socket, { step: 'proxy', to: proxy.shown }, clock, signal, (resolve, reject) => {
    let received = Buffer.alloc(0);
    // 'readable' does not change the state of the socket; a paused one would stay paused for its next user.
    const onReadable = () => {
      received = Buffer.concat([received, ...unread(socket)]);
      const end = received.indexOf(HEAD_END);
      if (end >= 0) {
        socket.off('readable', onReadable);
        const rest = received.subarray(end + HEAD_END.length);
        if (rest.length > 0) socket.unshift(rest);
        resolve(received.subarray(0, end).toString('latin1'));
      } else if (received.length > HEAD_LIMIT_BYTES) {
        reject(proxyRefused(proxy, target, { code: 'proxy-answer-endless', data: {} }));
      }
    };
    const onEnd = () => reject(proxyRefused(proxy, target, { code: 'proxy-closed', data: {} }));
    socket.on('readable', onReadable).once('end', onEnd);
    return () => socket.off('readable', onReadable).off('end', onEnd);
  });
}

/** Yields data that has arrived but was not read. */
function* unread(socket: Socket): Generator<Buffer> {
  for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) yield chunk;
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 200);
}
