import type { CodedError } from '../values/coded-error.ts';
import { kubeFailure } from '../values/failures.ts';
import type { Why } from '../values/problems.ts';

/** A proxy between the client and the API server. */
export interface ProxyServer {
  readonly kind: 'http' | 'https' | 'socks5';
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  /** For messages: without the password. */
  readonly shown: string;
  /** The setting that names the proxy: `proxy-url`, `HTTPS_PROXY`. */
  readonly from: string;
}

const DEFAULT_PORTS = { http: 80, https: 443, socks5: 1080 } as const;

/** Parses a proxy URL. Throws CodedError `bad-proxy-url`. */
export function parseProxy(text: string, from: string): ProxyServer {
  const match = /^(https?|socks5h?):\/\//i.exec(text);
  if (match === null || !URL.canParse(text)) throw badProxy(text, from, match === null ? 'scheme' : 'url');
  const url = new URL(text);
  const scheme = (match[1] ?? '').toLowerCase();
  const kind = scheme === 'http' || scheme === 'https' ? scheme : 'socks5';
  if (url.hostname === '') throw badProxy(text, from, 'url');
  return {
    kind,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? DEFAULT_PORTS[kind] : Number(url.port),
    username: decodeUserinfo(url.username),
    password: decodeUserinfo(url.password),
    shown: `${scheme}://${url.host}`,
    from,
  };
}

export function proxyRefused(
  { shown, from }: ProxyServer,
  target: string,
  why: Why,
  cause?: unknown,
): CodedError {
  return kubeFailure('proxy-refused', { proxy: shown, from, target, why }, { cause });
}

/** Decodes the user or password of a URL. */
export function decodeUserinfo(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Keeps a bare % in a password, as browsers do.
    return text;
  }
}

function badProxy(text: string, from: string, problem: 'url' | 'scheme'): CodedError {
  return kubeFailure('bad-proxy-url', { from, url: text.replace(/\/\/[^@/]*@/, '//'), problem });
}
