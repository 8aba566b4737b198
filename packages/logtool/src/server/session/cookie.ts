import { schemeOf } from '../security/scheme-of.ts';

interface CookieScope {
  readonly name: string;
  readonly path: string;
  /** The request came over TLS. A false claim only hides the client's own cookie. */
  readonly isSecure: boolean;
}

/**
 * Returns the name and path of the cookie. Browsers send cookies to every port. The name holds the port, so that two
 * servers of one machine keep their sessions apart. With TLS the prefix keeps plain HTTP and other subdomains from
 * setting it (RFC 6265bis, section 4.1.3.2); it requires the whole host as the path, so the name carries the base path.
 */
function scopeOf(request: Request, basePath: string): CookieScope {
  const { port, protocol } = new URL(request.url);
  const host = /:(\d+)$/.exec(request.headers.get('host') ?? '')?.[1];
  const shown = host ?? (port || (protocol === 'https:' ? '443' : '80'));
  if (schemeOf(request) !== 'https')
    return { name: `logtool-session-${shown}`, path: basePath === '' ? '/' : basePath, isSecure: false };
  const suffix = basePath.split('/').map(encodeURIComponent).join('~').replace(/[()]/g, '_');
  return { name: `__Host-logtool-session${suffix}-${shown}`, path: '/', isSecure: true };
}

/** Browsers keep cookies of up to 4,096 bytes, name and attributes included; a Kubernetes token may be longer. */
const MAX_VALUE_LENGTH = 3_500;

/** Returns a request's session cookie, joined from its parts; undefined if it has none. */
export function readCookie(request: Request, basePath: string): string | undefined {
  const cookies = cookiesOf(request);
  const { name } = scopeOf(request, basePath);
  let value = cookies.get(name);
  if (value === undefined) return undefined;
  for (let index = 1; ; index++) {
    const next = cookies.get(`${name}.${index}`);
    if (next === undefined) return value;
    value += next;
  }
}

/** Returns the first of each name: the browser sends the one with the longest path first. */
function cookiesOf(request: Request): ReadonlyMap<string, string> {
  const cookies = new Map<string, string>();
  for (const pair of (request.headers.get('cookie') ?? '').split(';')) {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, Math.max(0, equals)).trim();
    if (name !== '' && !cookies.has(name)) cookies.set(name, pair.slice(equals + 1).trim());
  }
  return cookies;
}

export interface CookieOptions {
  readonly basePath: string;
  readonly maxAgeSeconds: number;
}

/**
 * Returns Set-Cookie headers: scripts cannot read the cookies, and other sites' requests never carry them. A long value
 * is several cookies; removes parts of an earlier value that are no longer needed.
 */
export function writeCookie(request: Request, value: string, options: CookieOptions): readonly string[] {
  const { name, path, isSecure } = scopeOf(request, options.basePath);
  const attributes = (maxAgeSeconds: number) =>
    `Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  const cookies: string[] = [];
  for (let at = 0; at === 0 || at < value.length; at += MAX_VALUE_LENGTH) {
    const chunk = cookies.length === 0 ? name : `${name}.${cookies.length}`;
    cookies.push(`${chunk}=${value.slice(at, at + MAX_VALUE_LENGTH)}; ${attributes(options.maxAgeSeconds)}`);
  }
  const earlier = cookiesOf(request);
  for (let index = cookies.length; earlier.has(`${name}.${index}`); index++)
    cookies.push(`${name}.${index}=; ${attributes(0)}`);
  return cookies;
}

/** Returns Set-Cookie headers that remove the session's cookie from the browser, with all its parts. */
export function clearCookie(request: Request, basePath: string): readonly string[] {
  return writeCookie(request, '', { basePath, maxAgeSeconds: 0 });
}
