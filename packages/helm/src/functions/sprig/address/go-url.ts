import { isIPv4, isIPv6 } from 'node:net';
import { GoError } from '../../../template/errors.ts';
import { textToBytes } from '../../../value/bytes.ts';
import { quote } from '../../../value/quote.ts';
import { escapeComponent, textOfLatin, unescapeComponent } from './url-escape.ts';

/** A URL as Go's net/url splits it; all texts hold bytes as Latin-1 characters. */
export interface GoUrl {
  readonly scheme: string;
  readonly opaque: string;
  /** Name and password; undefined without an `@`. */
  readonly user: { readonly name: string; readonly password: string | undefined } | undefined;
  readonly host: string;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
}

export function latinOf(text: string): string {
  return Buffer.from(textToBytes(text)).toString('latin1');
}

/** @throws GoError worded like url.Parse: `parse "...": ...` */
export function parseUrl(text: string): GoUrl {
  const latin = latinOf(text);
  const [rest, fragment] = cut(latin, '#');
  const url = explained(rest, () => parseBeforeFragment(rest));
  return { ...url, fragment: explained(latin, () => unescapeComponent(fragment, 'fragment')) };
}

function explained<Result>(latin: string, parse: () => Result): Result {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof GoError)) throw error;
    throw new GoError(`parse ${quote(textOfLatin(latin))}: ${error.message}`);
  }
}

function cut(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at + separator.length)];
}

const EMPTY = { scheme: '', opaque: '', user: undefined, host: '', path: '', query: '' };

function parseBeforeFragment(latin: string): Omit<GoUrl, 'fragment'> {
  if (/[\0-\x1f\x7f]/.test(latin)) throw new GoError('net/url: invalid control character in URL');
  if (latin === '*') return { ...EMPTY, path: '*' };
  const [scheme, afterScheme] = splitScheme(latin);
  const [hierarchy, query] = cut(afterScheme, '?');
  if (!hierarchy.startsWith('/')) {
    if (scheme !== '') return { ...EMPTY, scheme, opaque: hierarchy, query };
    if (cut(hierarchy, '/')[0].includes(':'))
      throw new GoError('first path segment in URL cannot contain colon');
  }
  if (!hierarchy.startsWith('//') || (scheme === '' && hierarchy.startsWith('///')))
    return { ...EMPTY, scheme, query, path: unescapeComponent(hierarchy, 'path') };
  const slash = hierarchy.indexOf('/', 2);
  const authority = slash === -1 ? hierarchy.slice(2) : hierarchy.slice(2, slash);
  const path = slash === -1 ? '' : hierarchy.slice(slash);
  return {
    ...EMPTY,
    scheme,
    query,
    ...parseAuthority(scheme, authority),
    path: unescapeComponent(path, 'path'),
  };
}

function splitScheme(latin: string): [string, string] {
  if (latin.startsWith(':')) throw new GoError('missing protocol scheme');
  const match = /^([A-Za-z][A-Za-z0-9+\-.]*):([\s\S]*)$/.exec(latin);
  return match === null ? ['', latin] : [match[1]!.toLowerCase(), match[2]!];
}

function parseAuthority(scheme: string, authority: string): Pick<GoUrl, 'user' | 'host'> {
  const at = authority.lastIndexOf('@');
  const host = parseHost(scheme, authority.slice(at + 1));
  if (at === -1) return { host, user: undefined };
  const userinfo = authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(userinfo)) throw new GoError('net/url: invalid userinfo');
  const [name, password] = cut(userinfo, ':');
  return {
    host,
    user: {
      name: unescapeComponent(name, 'user'),
      password: userinfo.includes(':') ? unescapeComponent(password, 'user') : undefined,
    },
  };
}

function checkPort(text: string): void {
  if (!/^(:[0-9]*)?$/.test(text)) throw new GoError(`invalid port ${quote(textOfLatin(text))} after host`);
}

function parseHost(_scheme: string, host: string): string {
  const open = host.lastIndexOf('[');
  if (open > 0) throw new GoError('invalid IP-literal');
  if (open === 0) return parseLiteral(host);
  const colon = host.lastIndexOf(':');
  if (colon !== -1) checkPort(host.slice(colon));
  return unescapeComponent(host, 'host');
}

/** Parses an IPv6 address in brackets, optionally with a zone after %25 (RFC 6874). */
function parseLiteral(host: string): string {
  const close = host.lastIndexOf(']');
  if (close === -1) throw new GoError("missing ']' in host");
  const port = host.slice(close + 1);
  checkPort(port);
  const inside = host.slice(1, close);
  const zone = inside.indexOf('%25');
  const address =
    zone === -1
      ? unescapeComponent(inside, 'host')
      : unescapeComponent(inside.slice(0, zone), 'host') + unescapeComponent(inside.slice(zone), 'zone');
  checkAddress(address);
  return `[${address}]${port}`;
}

function checkAddress(address: string): void {
  if (isIPv4(address)) throw new GoError('invalid IP-literal');
  if (isIPv6(address)) return;
  throw new GoError(`invalid host: ParseAddr(${quote(textOfLatin(address))}): unable to parse IP`);
}

/** Removes the port and brackets of a host. */
export function hostname(host: string): string {
  const name = host.replace(/:[0-9]*$/, '');
  return name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
}

export function writeUser({ name, password }: NonNullable<GoUrl['user']>): string {
  return (
    escapeComponent(name, 'user') + (password === undefined ? '' : `:${escapeComponent(password, 'user')}`)
  );
}

/** Formats a URL like url.URL's String method. */
export function writeUrl(url: GoUrl): string {
  const start = url.scheme === '' ? '' : `${url.scheme}:`;
  const end =
    (url.query === '' ? '' : `?${url.query}`) +
    (url.fragment === '' ? '' : `#${escapeComponent(url.fragment, 'fragment')}`);
  if (url.opaque !== '') return start + url.opaque + end;
  const hasAuthority = url.host !== '' || url.user !== undefined || (url.scheme !== '' && url.path !== '');
  const authority = hasAuthority
    ? `//${url.user === undefined ? '' : `${writeUser(url.user)}@`}${escapeComponent(url.host, 'host')}`
    : '';
  const path = url.path === '*' ? '*' : escapeComponent(url.path, 'path');
  const slash = path !== '' && !path.startsWith('/') && url.host !== '' ? '/' : '';
  const dot = start + authority + slash === '' && cut(path, '/')[0].includes(':') ? './' : '';
  return start + authority + slash + dot + path + end;
}
