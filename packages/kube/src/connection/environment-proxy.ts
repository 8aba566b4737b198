import { BlockList, isIP } from 'node:net';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the proxy that HTTPS_PROXY or HTTP_PROXY names for this server, unless NO_PROXY or loopback exempts it. The
 * rules are those of Go's golang.org/x/net/http/httpproxy, hence kubectl's. Undefined means a direct connection.
 * Returns the text unchanged, but adds `http://` if it has no scheme.
 */
export function environmentProxy(server: URL, env: Environment): string | undefined {
  const name = server.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
  const proxy = env[name] || env[name.toLowerCase()];
  if (!proxy) return undefined;
  const port = server.port || (server.protocol === 'https:' ? '443' : '80');
  const host = server.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (host === 'localhost' || isLoopback(host)) return undefined;
  if (isExempt(host, port, env.NO_PROXY || env.no_proxy || '')) return undefined;
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`;
}

function isLoopback(host: string): boolean {
  if (isIP(host) === 4) return host.startsWith('127.');
  return isIP(host) === 6 && (host === '::1' || /^::ffff:7f[0-9a-f]{2}:/.test(host));
}

/**
 * NO_PROXY: a comma list of `*`, IPs, CIDRs, `domain` (and its subdomains), `.domain` (only subdomains), each with
 * `:port`.
 */
function isExempt(host: string, port: string, list: string): boolean {
  return list
    .split(',')
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry !== '' && (entry === '*' || matches(host, port, entry)));
}

function matches(host: string, port: string, entry: string): boolean {
  if (entry.includes('/')) return isInSubnet(host, entry);
  const [name, onlyPort] = splitPort(entry);
  if (name === '' || (onlyPort !== undefined && onlyPort !== port)) return false;
  if (isIP(name) !== 0)
    return isIP(host) === isIP(name) && isInSubnet(host, `${name}/${isIP(name) === 4 ? 32 : 128}`);
  const bare = name.startsWith('*.') ? name.slice(1) : name;
  if (bare.startsWith('.')) return host.endsWith(bare);
  return host === bare || host.endsWith(`.${bare}`);
}

function isInSubnet(host: string, cidr: string): boolean {
  const [network = '', bits = ''] = cidr.split('/');
  const family = isIP(network);
  if (family === 0 || isIP(host) !== family || !/^\d{1,3}$/.test(bits)) return false;
  if (Number(bits) > (family === 4 ? 32 : 128)) return false;
  const subnet = new BlockList();
  const kind = family === 4 ? 'ipv4' : 'ipv6';
  subnet.addSubnet(network, Number(bits), kind);
  return subnet.check(host, kind);
}

/** Splits `host:8443`, `[::1]:8443`, `::1`. */
function splitPort(entry: string): [string, string | undefined] {
  const bracketed = /^\[(.*)\](?::(.*))?$/.exec(entry);
  if (bracketed) return [bracketed[1] ?? '', bracketed[2]];
  const colon = entry.indexOf(':');
  if (colon < 0 || colon !== entry.lastIndexOf(':')) return [entry, undefined];
  return [entry.slice(0, colon), entry.slice(colon + 1)];
}
