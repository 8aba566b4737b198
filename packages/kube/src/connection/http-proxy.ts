import type { Socket } from 'node:net';
import type { Clock } from '../values/clock.ts';
import { guarded } from './dial.ts';
import { type ProxyServer, proxyRefused } from './proxy.ts';

const HEAD_LIMIT_BYTES = 16 * 1024;

/**
 * Asks an HTTP proxy for a tunnel (RFC 9110 section 9.3.6) over a socket that is connected to it. Rejects with
 * LogtoolError `proxy-refused`, or as `guarded` does.
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
  const why = status === null ? 'its answer is no HTTP' : `it answered ${printable(status[0].slice(9))}`;
  throw proxyRefused(proxy, target, why);
}

/** Up to the empty line; what the server already sent behind it goes back into the socket. */
function answerHead(
  socket: Socket,
  proxy: ProxyServer,
  target: string,
  clock: Clock,
  signal: AbortSignal | undefined,
): Promise<string> {
  return guarded(socket, `proxy ${proxy.shown}`, clock, signal, (resolve, reject) => {
    let seen = Buffer.alloc(0);
    // By 'readable', which leaves the socket as it was; one that was paused would stay so in the next hands.
    const look = () => {
      for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) {
        seen = Buffer.concat([seen, chunk]);
        const end = seen.indexOf('\r\n\r\n');
        if (end >= 0) {
          socket.off('readable', look);
          if (seen.length > end + 4) socket.unshift(seen.subarray(end + 4));
          return resolve(seen.subarray(0, end).toString('latin1'));
        }
        if (seen.length > HEAD_LIMIT_BYTES)
          return reject(proxyRefused(proxy, target, 'its answer has no end'));
      }
    };
    const onEnd = () => reject(proxyRefused(proxy, target, 'it closed the connection without an answer'));
    socket.on('readable', look).once('end', onEnd);
    return () => socket.off('readable', look).off('end', onEnd);
  });
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 200);
}
