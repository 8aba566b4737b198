import type { IncomingHttpHeaders } from 'node:http';
import type { User } from '../http/request.ts';
import type { HeaderFields } from './upstream.ts';

/** These concern one connection, or prove to the API server alone who asks. */
const DROPPED: readonly string[] = [
  'authorization',
  'connection',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];
const OF_USER = /^(?:x-remote-(?:user|uid|group)$|x-remote-extra-|impersonate-)/;
const HOP_BY_HOP: readonly string[] = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
];

/** Returns the headers that name a user to an extension API server (k8s.io/client-go/transport: SetAuthProxyHeaders). */
export function userHeaders({ name, uid, groups, extra = {} }: User): HeaderFields {
  const extras = Object.entries(extra).map(([key, values]) => [
    `x-remote-extra-${escapedKey(key)}`,
    [...values],
  ]);
  return {
    'x-remote-user': name,
    ...(uid === undefined || uid === '' ? {} : { 'x-remote-uid': uid }),
    ...(groups.length === 0 ? {} : { 'x-remote-group': [...groups] }),
    ...Object.fromEntries(extras),
  };
}

/** Percent-encodes what may not be in the name of a header, and the percent sign; case is lost in HTTP/2. */
function escapedKey(key: string): string {
  return [...Buffer.from(key)]
    .map((byte) => {
      const char = String.fromCharCode(byte);
      return /[!#$&'*+.^_`|~\w-]/.test(char) && byte < 0x80 ? char : `%${byte.toString(16).padStart(2, '0')}`;
    })
    .join('')
    .toLowerCase();
}

/** The server that is asked, and what the client asked for. */
export interface Forwarding {
  readonly host: string;
  readonly path: string;
  readonly clientAddress: string;
}

/**
 * Returns the headers for an extension API server: the client's own, without those that name or prove a user, and the
 * user that the API server has found.
 */
export function forwardedHeaders(headers: IncomingHttpHeaders, user: User, to: Forwarding): HeaderFields {
  const forwarded = { 'x-forwarded-host': to.host, 'x-forwarded-proto': 'https' };
  return { ...proxiedHeaders(headers, to), ...forwarded, ...userHeaders(user) };
}

/** Returns the client's own headers for a server that learns nothing of the user. */
export function proxiedHeaders(
  headers: IncomingHttpHeaders,
  { path, clientAddress }: Pick<Forwarding, 'path' | 'clientAddress'>,
): HeaderFields {
  const named = String(headers.connection ?? '')
    .toLowerCase()
    .split(/, */);
  const own = Object.entries(headers).filter(
    ([name, value]) =>
      value !== undefined &&
      !name.startsWith(':') &&
      !DROPPED.includes(name) &&
      !named.includes(name) &&
      !OF_USER.test(name),
  ) as [string, string | string[]][];
  const before = headers['x-forwarded-for'];
  return {
    ...Object.fromEntries(own),
    ...(headers.te?.includes('trailers') === true ? { te: 'trailers' } : {}),
    'x-forwarded-for': before === undefined ? clientAddress : `${before}, ${clientAddress}`,
    'x-forwarded-uri': path,
  };
}

/** Returns the headers of a response that concern more than one connection. */
export function passedHeaders(
  headers: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || name.startsWith(':') || HOP_BY_HOP.includes(name)
        ? []
        : [[name, Array.isArray(value) ? value.join(', ') : String(value)]],
    ),
  );
}
