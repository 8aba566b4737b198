import { isIP } from 'node:net';
import type { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import { serverFailure } from '../failures.ts';
import { type OwnAddress, ownAddresses } from './own-addresses.ts';

/** A host name, and the port if given: in lowercase, IPv6 without brackets. */
export interface HostPort {
  readonly name: string;
  readonly port: string | undefined;
}

const LOOPBACK_NAMES = ['localhost', '127.0.0.1', '::1'];

/** Reads `name`, `name:port`, `1.2.3.4:80`, `[::1]:80`; undefined for anything else. */
export function parseHost(text: string): HostPort | undefined {
  const match = /^(?:\[([\da-f:.]+)\]|([a-z\d](?:[a-z\d._-]*[a-z\d])?)\.?)(?::(\d{1,5}))?$/i.exec(text);
  if (match === null) return undefined;
  const [, address, name, port] = match;
  return { name: (address ?? name ?? '').toLowerCase(), port };
}

/** Whether only this machine can reach a server that listens on this host. */
export function isLoopback(host: string): boolean {
  return LOOPBACK_NAMES.includes(host) || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** The origin of the page that sent a request, and the request's own host and scheme. */
export interface Asking {
  readonly origin: string;
  readonly host: string;
  readonly scheme: 'http' | 'https';
}

export interface AllowedHosts {
  /** Whether a request to this `Host` is meant for this server. A name that an attacker's DNS leads here is not. */
  allowsHost(host: string): boolean;
  /**
   * Whether the page belongs to this server: its origin is that of the request (RFC 6454, section 4), or an allowed
   * one.
   */
  allowsOrigin(asking: Asking): boolean;
}

/**
 * Returns the names of the server: the loopback's, the host that it listens on, the addresses of the machine, and the
 * allowed ones. DNS rebinding needs a name that an attacker controls; a browser that requests an address of this
 * machine was sent to this machine. Addresses change (DHCP, VPN): they are read when a request names one. Throws a
 * usage error for an invalid name.
 */
export function allowedHosts(
  bindHost: string,
  added: readonly string[],
  addressesNow: () => readonly Pick<OwnAddress, 'address'>[] = ownAddresses,
): AllowedHosts {
  const chosen = added.map((text) => parseHost(text) ?? badHost(text));
  const own: HostPort[] = [...LOOPBACK_NAMES, bindHost.toLowerCase()].map((name) => ({
    name,
    port: undefined,
  }));
  // A name leads to this server or does not, whatever the port: a proxy or a forwarded port changes it.
  const allowsHost = (text: string) => {
    const host = parseHost(text);
    if (host === undefined) return false;
    const isNamed = [...own, ...chosen].some(
      ({ name, port }) => name === host.name && (port === undefined || port === host.port),
    );
    return isNamed || isOwnAddress(host.name);
  };
  const isOwnAddress = (name: string) =>
    isIP(name) !== 0 && addressesNow().some(({ address }) => address === name);
  return {
    allowsHost,
    allowsOrigin({ origin, host, scheme }) {
      const [, from, name] = /^(https?):\/\/([^/]+)$/.exec(origin) ?? [];
      const page = name === undefined ? undefined : parseHost(name);
      if (page === undefined) return false;
      const port = page.port ?? defaultPort(from);
      // Another port of the same machine is another program.
      const to = parseHost(host);
      const isSame = from === scheme && page.name === to?.name && port === (to.port ?? defaultPort(scheme));
      if (isSame && allowsHost(host)) return true;
      // A proxy may have rewritten the host, but not the origin.
      return chosen.some((one) => one.name === page.name && (one.port ?? defaultPort(from)) === port);
    },
  };
}

function defaultPort(scheme: string | undefined): string {
  return scheme === 'https' ? '443' : '80';
}

function badHost(text: string): never {
  throw serverFailure('bad-allowed-host', { value: text.slice(0, 200) }, { exit: 'usage' });
}

/** Returns the failure of a request under a host name that is not on the list, or without one (HTTP/1.0). */
export function foreignHost(host: string | undefined): CodedError {
  return serverFailure('foreign-host', { host: host?.slice(0, 200) });
}

/** Returns the failure of a request from a page that this server did not deliver. */
export function foreignOrigin(): CodedError {
  return serverFailure('foreign-origin', {});
}
