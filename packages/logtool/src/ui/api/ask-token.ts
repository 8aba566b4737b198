import { requestJson } from './request.ts';

/** Asks the server for the page token of this browser's session, with the one that the page has or was given. */
export function askToken(
  send: typeof fetch,
  basePath: string,
  token: string,
): ReturnType<typeof requestJson> {
  return requestJson(send, `${basePath}/api/v1/token`, { headers: { 'x-logtool-token': token } });
}
