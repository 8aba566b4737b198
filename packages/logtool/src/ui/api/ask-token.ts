import { requestJson } from './request.ts';

/**
 * Requests the page token of this browser's session, authenticated by the token that the page already has.
 */
export function askToken(
  send: typeof fetch,
  basePath: string,
  token: string,
): ReturnType<typeof requestJson> {
  return requestJson(send, `${basePath}/api/v1/token`, { headers: { 'x-logtool-token': token } });
}
