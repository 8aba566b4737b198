import { LogtoolError } from '../values/errors.ts';

/** A proxy on the way to the API server. */
export interface ProxyServer {
  readonly kind: 'http' | 'https' | 'socks5';
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  /** For messages: without the password. */
  readonly shown: string;
  /** Who named it: `proxy-url`, `HTTPS_PROXY`. */
  readonly from: string;
}

const DEFAULT_PORTS = { http: 80, https: 443, socks5: 1080 } as const;

/** Throws LogtoolError `bad-proxy-url`. */
export function parseProxy(text: string, from: string): ProxyServer {
  const match = /^(https?|socks5h?):\/\//i.exec(text);
  if (match === null || !URL.canParse(text)) throw badProxy(text, from, match !== null);
  const url = new URL(text);
  const scheme = (match[1] ?? '').toLowerCase();
  const kind = scheme === 'http' || scheme === 'https' ? scheme : 'socks5';
  if (url.hostname === '') throw badProxy(text, from, true);
  return {
    kind,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? DEFAULT_PORTS[kind] : Number(url.port),
    username: decodedPart(url.username),
    password: decodedPart(url.password),
    shown: `${scheme}://${url.host}`,
    from,
  };
}

/** `why` in the words of the proxy or of the system. */
export function proxyRefused(proxy: ProxyServer, target: string, why: string, cause?: unknown): LogtoolError {
  return new LogtoolError({
    code: 'proxy-refused',
    what: `the proxy ${proxy.shown} did not connect to ${target}`,
    why,
    next: `check ${proxy.from}, or exempt the server with NO_PROXY (which proxy-url does not heed)`,
    cause,
  });
}

/** User or password of a URL as it was meant. */
export function decodedPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A bare % in a password: taken as it is, as browsers do.
    return text;
  }
}

function badProxy(text: string, from: string, schemeIsKnown: boolean): LogtoolError {
  return new LogtoolError({
    code: 'bad-proxy-url',
    what: `${from} is not a proxy that can be used: ${text.replace(/\/\/[^@/]*@/, '//')}`,
    why: schemeIsKnown ? 'it is not a valid URL' : 'its scheme is none of http, https and socks5',
    next: `write ${from} as http://HOST:PORT, https://HOST:PORT or socks5://HOST:PORT`,
  });
}
