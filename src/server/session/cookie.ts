/** Cookies are not told apart by port: the name is, so that two servers of one machine keep their sessions apart. */
function cookieName(request: Request): string {
  const { port, protocol } = new URL(request.url);
  const host = /:(\d+)$/.exec(request.headers.get('host') ?? '')?.[1];
  return `logtool-session-${host ?? (port || (protocol === 'https:' ? '443' : '80'))}`;
}

/** The session's cookie of a request; undefined when there is none. */
export function readCookie(request: Request): string | undefined {
  const name = cookieName(request);
  for (const part of (request.headers.get('cookie') ?? '').split(';')) {
    const equals = part.indexOf('=');
    if (equals > 0 && part.slice(0, equals).trim() === name) return part.slice(equals + 1).trim();
  }
  return undefined;
}

export interface CookieOptions {
  readonly basePath: string;
  readonly maxAgeSeconds: number;
}

/** A Set-Cookie header: out of reach of scripts, and never sent along from another site. */
export function writeCookie(request: Request, value: string, options: CookieOptions): string {
  const secure = isHttps(request) ? '; Secure' : '';
  const path = options.basePath === '' ? '/' : options.basePath;
  return `${cookieName(request)}=${value}; Path=${path}; Max-Age=${options.maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`;
}

export function clearCookie(request: Request, basePath: string): string {
  return writeCookie(request, '', { basePath, maxAgeSeconds: 0 });
}

/** Behind a proxy that ends TLS, the proxy says so. To claim it falsely only keeps one's own cookie from being sent. */
function isHttps(request: Request): boolean {
  return request.url.startsWith('https:') || request.headers.get('x-forwarded-proto') === 'https';
}
