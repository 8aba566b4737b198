import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ErrorBody } from '../contract/error.ts';
import { startDashboard, type TestDashboard } from './testing/start-dashboard.ts';

const PATH = '/api/v1/contexts/absent/access';

async function post(
  dashboard: TestDashboard,
  body: string | ReadableStream,
  headers: Record<string, string> = {},
) {
  const token = await dashboard.pageToken();
  const answer = await dashboard.ask(PATH, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', 'x-logtool-token': token, ...headers },
    duplex: 'half',
  } as RequestInit & { headers: Record<string, string> });
  return { status: answer.status, ...ErrorBody.parse(await answer.json()).error };
}

test('a body that is no JSON, or not of the form, is told so', async () => {
  const dashboard = await startDashboard();
  expect(await post(dashboard, '{"sources":')).toMatchObject({ status: 400, code: 'bad-request' });
  expect(await post(dashboard, '{"sources":[]}')).toMatchObject({
    status: 400,
    why: expect.stringMatching(/^sources: /),
  });
  expect(await post(dashboard, '{"sources":"web"}')).toMatchObject({ status: 400, code: 'bad-request' });
  expect(await post(dashboard, 'null')).toMatchObject({ status: 400 });
  expect(await post(dashboard, '{"sources":["web"]}', { 'content-type': 'text/plain' })).toMatchObject({
    status: 400,
  });
  expect(await post(dashboard, '{"sources":["web"]}')).toMatchObject({
    status: 404,
    code: 'context-not-found',
  });
});

test('a body above 256 KiB is refused, whether or not it says how long it is', async () => {
  const dashboard = await startDashboard();
  const large = JSON.stringify({ sources: ['web'], padding: 'x'.repeat(256 * 1024) });
  expect(await post(dashboard, large, { 'content-length': String(large.length) })).toMatchObject({
    status: 413,
    code: 'body-too-large',
  });
  const stream = new Blob([large]).stream();
  expect(await post(dashboard, stream, { 'transfer-encoding': 'chunked' })).toMatchObject({ status: 413 });
  const largest = `{"sources":["web"]}${' '.repeat(256 * 1024 - 19)}`;
  expect(await post(dashboard, largest, { 'content-length': String(largest.length) })).toMatchObject({
    status: 404,
  });
});

test('whatever a body holds, the answer is a refusal in words', async () => {
  const dashboard = await startDashboard();
  const token = await dashboard.pageToken();
  const headers = { 'content-type': 'application/json', 'x-logtool-token': token };
  const body = fc.oneof(
    fc.json(),
    fc.string({ unit: 'binary' }),
    fc.json().map((text) => text.slice(0, text.length >> 1)),
    fc
      .record({ sources: fc.anything() })
      .map((value) => JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each))),
    fc.array(fc.string()).map((sources) => JSON.stringify({ sources, __proto__: { sources: ['x'] } })),
    fc.constantFrom(
      '{"__proto__":{"sources":["web"]}}',
      '{"constructor":{"prototype":{}}}',
      `${'['.repeat(50_000)}`,
    ),
  );
  await fc.assert(
    fc.asyncProperty(body, async (text) => {
      const answer = await dashboard.ask(PATH, { method: 'POST', body: text, headers });
      expect([400, 404]).toContain(answer.status);
      const { error } = ErrorBody.parse(await answer.json());
      expect(`${error.what}${error.why}`).not.toMatch(/\.ts\b|node_modules| at .*:\d+/);
    }),
    { numRuns: 10_000 },
  );
  expect(dashboard.logged.filter(({ level }) => level === 'error')).toEqual([]);
  expect(({} as Record<string, unknown>).sources).toBeUndefined();
});
