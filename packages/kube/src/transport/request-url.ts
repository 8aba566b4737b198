/**
 * Appends a path and query to the server's URL (whose path, if any, is a prefix); omits the user and password that the
 * server's URL may contain.
 */
export function requestUrl(server: URL, path: string): URL {
  const prefix = server.pathname.replace(/(?<!\/)\/+$/, '');
  // Does not resolve against the origin: a path that begins with two slashes would name another host.
  return new URL(server.origin + prefix + path);
}
