import { readFile } from 'node:fs/promises';
import { PAGE_TOKEN_FRAGMENT } from '@logtool/logtool/src/contract/page-key.ts';
import { load } from 'js-yaml';
import { expect } from 'vitest';
import type { GoodRequest } from './good-requests.ts';
import type { TestDashboard } from './start-dashboard.ts';

/** A signed-in browser. */
export interface SignedIn {
  /** Its Cookie header. */
  readonly cookie: string;
  readonly pageToken: string;
}

/** Returns the tokens of a kubeconfig, by user name. */
export async function tokensOf(kubeconfig: string): Promise<ReadonlyMap<string, string>> {
  const { users } = load(await readFile(kubeconfig, 'utf8')) as {
    readonly users: readonly { readonly name: string; readonly user: { readonly token?: string } }[];
  };
  return new Map(users.flatMap(({ name, user }) => (user.token === undefined ? [] : [[name, user.token]])));
}

export function postSignIn(
  dashboard: TestDashboard,
  token: string,
  headers: Record<string, string> = {},
): Promise<Response> {
  return dashboard.ask('/api/v1/sign-in', {
    method: 'POST',
    body: JSON.stringify({ token }),
    headers: { 'content-type': 'application/json', ...headers },
  });
}

export async function signIn(
  dashboard: TestDashboard,
  token: string,
  headers: Record<string, string> = {},
): Promise<SignedIn> {
  const answer = await postSignIn(dashboard, token, headers);
  expect(answer.status).toBe(200);
  const { token: pageToken } = (await answer.json()) as { token: string };
  return { cookie: cookieOf(answer), pageToken };
}

/** Returns what a browser has after it follows a sign-in address. */
export function enteredBy(answer: Response): SignedIn {
  const [, pageToken = ''] = (answer.headers.get('location') ?? '').split(PAGE_TOKEN_FRAGMENT);
  return { cookie: cookieOf(answer), pageToken };
}

/** Returns the headers of a page in that browser. */
export function headersOf({ cookie, pageToken }: SignedIn): Record<string, string> {
  return { cookie, 'x-logtool-token': pageToken };
}

/** Returns the Cookie header that a browser sends back. */
export function cookieOf(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .filter((line) => !line.includes('Max-Age=0'))
    .map((line) => line.split(';')[0])
    .join('; ');
}

/** Sends a request as a page in that browser does. */
export function send(
  dashboard: TestDashboard,
  { method, path, body }: GoodRequest,
  { cookie, pageToken }: SignedIn,
  headers: Record<string, string> = {},
): Promise<Response> {
  return dashboard.ask(`/api/v1${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(cookie === '' ? {} : { cookie }),
      'x-logtool-token': pageToken,
      ...headers,
    },
  });
}
