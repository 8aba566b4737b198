import { isIP } from 'node:net';
import { isLoopback, parseHost } from '../../server/security/allowed-hosts.ts';
import { type OwnAddress, ownAddresses } from '../../server/security/own-addresses.ts';
import type { ServePlan } from '../plan/serve/serve-plan.ts';

/** Origins (`http://10.0.0.7:7500`) that browsers use for a server. */
export interface DashboardOrigins {
  /** For browsers on this machine. */
  readonly here: string;
  /** All origins, those for other machines first. */
  readonly all: readonly string[];
}

/**
 * Returns the origins of a server that listens on `port`. Allowed names are included only if the server is
 * open to others: on a loopback address, and in a cluster, such a name belongs to a proxy, an Ingress or a
 * Service with its own port and scheme.
 */
export function originsOf(
  plan: Pick<ServePlan, 'host' | 'allowedHosts'> & {
    readonly connection: Pick<ServePlan['connection'], 'inCluster'>;
  },
  port: number,
  addresses: readonly OwnAddress[] = ownAddresses(),
): DashboardOrigins {
  const { host, allowedHosts, connection } = plan;
  const originOf = (name: string, namedPort?: string) =>
    `http://${isIP(name) === 6 ? `[${name}]` : name}:${namedPort ?? port}`;
  const isEverywhere = host === '0.0.0.0' || host === '::';
  const here = originOf(isEverywhere ? 'localhost' : host);
  if (isLoopback(host)) return { here, all: [here] };
  const own = isEverywhere ? reachable(addresses, host === '::').map((name) => originOf(name)) : [here];
  const named = connection.inCluster
    ? []
    : allowedHosts.flatMap((text) => parseHost(text) ?? []).map((each) => originOf(each.name, each.port));
  return { here, all: [...new Set([...own, ...named, here])] };
}

/**
 * Returns reachable addresses, IPv4 first. A link-local IPv6 address needs a zone, which browsers do not
 * accept.
 */
function reachable(addresses: readonly OwnAddress[], withIpv6: boolean): readonly string[] {
  const ofFamily = (wanted: OwnAddress['family']) =>
    addresses.flatMap(({ address, family, isLoopback: isInternal }) =>
      family === wanted && !isInternal && !/^fe[89ab]/.test(address) ? [address] : [],
    );
  return [...ofFamily('IPv4'), ...(withIpv6 ? ofFamily('IPv6') : [])];
}
