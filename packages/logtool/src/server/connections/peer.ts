import type { Connection } from './connection-limits.ts';

/** The connection of each request, as long as the request object lives. */
const connections = new WeakMap<Request, Connection>();

/** Records which connection a request came over; the server calls it before anything answers. */
export function cameOver(request: Request, connection: Connection): void {
  connections.set(request, connection);
}

/** Returns a request's connection; undefined for a request that came over none of the server's sockets. */
export function connectionOf(request: Request): Connection | undefined {
  return connections.get(request);
}

/** Returns the address that a request came from, as limits count it; a proxy's address if one is in between. */
export function addressOf(request: Request): string {
  return connections.get(request)?.address ?? '';
}
