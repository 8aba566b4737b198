import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codePoint } from '../../../../test/support/fuzz/code-point.ts';
import { onPage } from '../../../../test/support/on-page.ts';
import { startDashboard, type TestDashboard } from '../../../../test/support/server/start-dashboard.ts';
import { ErrorBody } from '../contract/error.ts';
import { LogQuery } from '../contract/log-query.ts';
import { ROUTES } from '../contract/routes.ts';

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
  return { status: answer.status, ...onPage(ErrorBody.parse(await answer.json()).error) };
}

test('reports a body that is no JSON, or of the wrong form', async () => {
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

/** Every route that reads a body, and the longest text in an address. */
const READERS = [
  '/contexts/absent/access',
  '/contexts/absent/logs',
  '/contexts/absent/scan',
  '/contexts/absent/facts',
  '/contexts/absent/why',
  '/sign-in',
  '/sign-out',
  '/contexts/absent/logs/download',
  '/contexts/absent/workloads',
  '/contexts',
] as const;

test('every route of the contract that reads something is among those that are tried', () => {
  const reading = Object.values<{ readonly path: string; readonly request?: object }>(ROUTES).filter(
    ({ request }) => request !== undefined && ('body' in request || 'query' in request),
  );
  const tried: readonly string[] = READERS;
  for (const { path } of reading) expect(tried).toContain(path.replace('{context}', 'absent'));
});

const GOOD = { id: 1, sources: ['web'], selection: { kind: 'all' } };
const field = fc.constantFrom(...Object.keys(LogQuery.shape), 'sources', 'token', '__proto__', 'constructor');
const nearlyGood = fc
  .tuple(field, fc.jsonValue({ maxDepth: 4 }))
  .map(([name, value]) => JSON.stringify({ queries: [{ ...GOOD, [name]: value }], [name]: value }));
const whole = fc.constantFrom(
  '{"__proto__":{"sources":["web"]}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '\ufeff{"sources":["web"]}',
  '{"token":""}',
);
const large = fc.constantFrom(
  '['.repeat(50_000),
  '{"a":'.repeat(50_000),
  `{"sources":["${'x'.repeat(260 * 1024)}"]}`,
);
const bodies = fc.oneof(
  { weight: 20, arbitrary: fc.json() },
  { weight: 40, arbitrary: nearlyGood },
  { weight: 20, arbitrary: fc.string({ unit: codePoint }) },
  { weight: 20, arbitrary: fc.json().map((json) => json.slice(0, json.length >> 1)) },
  {
    weight: 10,
    arbitrary: fc
      .array(fc.string())
      .map((sources) => `{"sources":${JSON.stringify(sources)},"__proto__":{"sources":["x"]}}`),
  },
  { weight: 5, arbitrary: whole },
  { weight: 1, arbitrary: large },
);
const contentTypes = fc.oneof(
  { weight: 8, arbitrary: fc.constant('application/json') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/json; charset=x',
    ),
  },
);

test('whatever a request holds, the answer is a refusal in words', async () => {
  const dashboard = await startDashboard();
  const token = await dashboard.pageToken();
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...READERS), bodies, contentTypes, async (path, body, contentType) => {
      const isGet = /download$|workloads$|contexts$/.test(path);
      const query = new URLSearchParams({
        token,
        format: 'text',
        // Excludes `wait`: with a number, the route answers only after a change.
        ...(isGet ? { query: body.slice(0, 60_000), check: body.slice(0, 60_000) } : {}),
      });
      const answer = await dashboard.ask(`/api/v1${path}?${query}`, {
        method: isGet ? 'GET' : 'POST',
        ...(isGet ? {} : { body }),
        headers: { 'content-type': contentType, 'x-logtool-token': token },
      });
      expect([200, 204, 400, 404, 413]).toContain(answer.status);
      const text = await answer.text();
      if (answer.status < 300) return;
      const { error } = ErrorBody.parse(JSON.parse(text));
      expect(onPage(error).what).not.toBe('');
      expect(text).not.toMatch(/\.ts\b|node_modules|\bat [\w.]+ \(/);
    }),
    { numRuns: 10_000 },
  );
  expect(dashboard.logged.filter(({ level }) => level === 'error')).toEqual([]);
  expect(({} as Record<string, unknown>).sources ?? ({} as Record<string, unknown>).polluted).toBeUndefined();
  expect(dashboard.streams.count).toBe(0);
});
