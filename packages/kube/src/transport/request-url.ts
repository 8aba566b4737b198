/**
 * The server's URL (whose path, if it has one, is a prefix) with a path and query below it; without the user and
 * password that the server's may carry.
 */
export function requestUrl(server: URL, path: string): URL {
  const prefix = server.pathname.replace(/(?<!\/)\/+$/, '');
  // Not relative to the origin: a path that begins with two slashes would name another host.
  return new URL(server.origin + prefix + path);
}
