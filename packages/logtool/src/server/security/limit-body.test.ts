import { expect, test } from 'vitest';
import { onPage } from '../../../../../test/support/on-page.ts';
import {
  codeOf,
  startDashboard,
  type TestDashboard,
} from '../../../../../test/support/server/start-dashboard.ts';
import { ErrorBody } from '../../contract/error.ts';
import { BODY_TIMEOUT_MS } from './limit-body.ts';

function post(dashboard: TestDashboard, path: string, body: string | ReadableStream, token = '') {
  return dashboard.ask(`/api/v1${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'x-logtool-token': token },
    duplex: 'half',
  } as RequestInit & { headers: Record<string, string> });
}

/** Returns a body of which only this part arrives. */
const unfinished = (body: string) =>
  new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from(body)) });

test('a sign-in has room for the longest token and not for more', async () => {
  const dashboard = await startDashboard();
  const bodyOf = (length: number) => JSON.stringify({ token: 'x'.repeat(length) });
  expect(await codeOf(await post(dashboard, '/sign-in', bodyOf(16_384)))).toBe('no-sign-in');
  const answer = await post(dashboard, '/sign-in', bodyOf(17 * 1024));
  const { error } = ErrorBody.parse(await answer.json());
  expect([answer.status, onPage(error)]).toMatchObject([
    413,
    { code: 'body-too-large', why: 'its body may have 17 KiB', next: 'paste only the token' },
  ]);
  const endless = await post(dashboard, '/sign-in', unfinished(bodyOf(17 * 1024)));
  expect(endless.status).toBe(413);
});

test('waits only this long for a body that stalls', async () => {
  const dashboard = await startDashboard();
  const token = await dashboard.pageToken();
  const answers = ['/sign-in', '/contexts/here/access'].map((path) =>
    post(dashboard, path, unfinished('{"'), token),
  );
  while (dashboard.clock.pending < 2) await new Promise((resolve) => setImmediate(resolve));
  await dashboard.clock.advance(BODY_TIMEOUT_MS - 1);
  const early = await Promise.race([...answers, new Promise((resolve) => setImmediate(resolve))]);
  expect(early).toBeUndefined();
  await dashboard.clock.advance(1);
  for (const answer of await Promise.all(answers))
    expect([answer.status, await codeOf(answer)]).toEqual([408, 'body-too-slow']);
  expect(dashboard.clock.pending).toBe(0);
});

test('of bodies that are sent at once by one address the oldest make room', async () => {
  const dashboard = await startDashboard();
  const body = `{"token":"${'x'.repeat(16_000)}`;
  const answers = Array.from({ length: 200 }, () => post(dashboard, '/sign-in', unfinished(body)));
  expect((await answers[0])?.status).toBe(429);
  expect(await codeOf((await answers[1]) as Response)).toBe('too-many-bodies');
  const whole = await post(dashboard, '/sign-in', `${body}"}`);
  expect(await codeOf(whole)).toBe('no-sign-in');
  await dashboard.clock.advance(BODY_TIMEOUT_MS);
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(statuses.at(-1)).toBe(408);
});
