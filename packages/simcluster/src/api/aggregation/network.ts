/**
 * The cluster's network: an address is one of this machine's loopback, or one at which a test lets a server on loopback
 * answer.
 */
export class Network {
  readonly #ports = new Map<string, number>();

  /** Lets the server on a port of 127.0.0.1 answer at an address of the cluster; port 0 takes that away again. */
  route(address: string, port: number, localPort: number): void {
    if (localPort === 0) this.#ports.delete(hostPort(address, port));
    else this.#ports.set(hostPort(address, port), localPort);
  }

  /** Returns where to connect; undefined if nothing listens there. */
  find(address: string, port: number): { readonly host: string; readonly port: number } | undefined {
    const localPort = this.#ports.get(hostPort(address, port));
    if (localPort !== undefined) return { host: '127.0.0.1', port: localPort };
    return address === '::1' || address.startsWith('127.') ? { host: address, port } : undefined;
  }
}

export function hostPort(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}
