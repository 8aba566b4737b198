import { OpenAPIHono } from '@hono/zod-openapi';
import { expect, test } from 'vitest';
import { codeOf, type Logged, recorder } from '../../../../test/support/server/start-dashboard.ts';
import { filterFailure } from '../domain/patterns/filter-failures.ts';
import { answerFailure } from './answer-failure.ts';
import type { ServerEnv } from './services.ts';

function failing(error: Error) {
  const logged: Logged[] = [];
  const app = new OpenAPIHono<ServerEnv>();
  app.onError((thrown, context) => answerFailure(thrown, context, recorder(logged)));
  app.get('/', () => {
    throw error;
  });
  return { app, logged };
}

test('logs a defect with all details, and answers without them', async () => {
  const { app, logged } = failing(new TypeError('x of undefined'));
  const answer = await app.request('/');
  expect([answer.status, await codeOf(answer)]).toEqual([500, 'unexpected']);
  expect(logged).toEqual([
    {
      level: 'error',
      fields: { err: expect.any(TypeError), path: '/' },
      text: 'a request failed unexpectedly',
    },
  ]);
});

test('work that ends because its client has gone is no failure', async () => {
  const { app, logged } = failing(new DOMException('gone', 'AbortError'));
  await app.request(new Request('http://localhost/', { signal: AbortSignal.abort() }));
  expect(logged).toEqual([]);
});

test('a person with too many open patterns gets that error, not one of the cluster', async () => {
  const { app } = failing(filterFailure('too-many-patterns', { size: 60_000, limit: 50_000 }));
  const answer = await app.request('/');
  expect([answer.status, await codeOf(answer)]).toEqual([429, 'too-many-patterns']);
});
