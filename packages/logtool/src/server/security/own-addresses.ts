import { networkInterfaces } from 'node:os';

/** An address of this machine: IPv6 without brackets and zone. */
export interface OwnAddress {
  readonly address: string;
  readonly family: 'IPv4' | 'IPv6';
  /** Only this machine can reach it. */
  readonly isLoopback: boolean;
}

/** Returns the current addresses of the machine's network interfaces. */
export function ownAddresses(): readonly OwnAddress[] {
  return Object.values(networkInterfaces()).flatMap((addresses = []) =>
    addresses.map(({ address, family, internal }) => ({
      address: address.replace(/%.*$/, '').toLowerCase(),
      family,
      isLoopback: internal,
    })),
  );
}
