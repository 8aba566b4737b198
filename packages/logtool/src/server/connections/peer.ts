import type { Connection } from './connection-limits.ts';

/** Over which connection a request came, as long as the request is held. */
const connections = new WeakMap<Request, Connection>();

/** Records which connection a request came over; the server calls it before anything answers. */
export function cameOver(request: Request, connection: Connection): void {
  connections.set(request, connection);
}

/** Undefined for a request that came over none of the server's sockets. */
export function connectionOf(request: Request): Connection | undefined {
  return connections.get(request);
}

/** The address that a request came from, as limits count it: of a proxy, where one stands between. */
export function addressOf(request: Request): string {
  return connections.get(request)?.address ?? '';
}
