import { expect, test } from 'vitest';
import {
  listing,
  Observer,
  pod,
  refusing,
  script,
} from '../../../../test/support/tls-server/observe-reflector.ts';
import { type Handler, sendJson, sendStatus } from '../../../../test/support/tls-server/scripted-server.ts';
import { startClient } from '../../../../test/support/tls-server/start-client.ts';
import { PODS } from '../builtin-resources.ts';

test('without the right to watch it polls, says so, and finds changes and deletions', async () => {
  const { client, clock, server } = await startClient(
    script(
      [
        listing('5', pod('a'), pod('b')),
        listing('5', pod('a'), pod('b')),
        listing('6', pod('a', '6'), pod('b')),
        listing('7', pod('a', '6'), pod('c', '7')),
        listing('7', pod('a', '6'), pod('c', '7')),
        listing('8', pod('c', '7')),
      ],
      [refusing(403)],
    ),
  );
  const observer = new Observer(client, clock);
  const lines = await observer.take(7);
  expect(lines).toEqual([
    'snapshot a,b',
    'snapshot a,b',
    'polling forbidden',
    'changed a@6',
    'deleted b@1',
    'changed c@7',
    'deleted a@6',
  ]);
  expect(server.requests.filter((request) => request.includes('watch=true')).length).toBe(1);
});

test('reports a failed poll, and keeps polling', async () => {
  const { client, clock } = await startClient(
    script(
      [
        listing('5', pod('a')),
        listing('5', pod('a')),
        ...Array.from({ length: 5 }, () => refusing(500)),
        listing('6', pod('a', '6')),
      ],
      [refusing(405)],
    ),
  );
  const lines = await new Observer(client, clock).take(6);
  expect(lines.slice(2)).toEqual(['polling http', 'retrying server', 'polling http', 'changed a@6']);
});

test('a kind that discovery says cannot be watched is polled without asking', async () => {
  const { client, clock, server } = await startClient(script([listing('5', pod('a'))], [refusing(500)]));
  const controller = new AbortController();
  const type = { ...PODS, verbs: ['get', 'list'] };
  const events = client
    .reflect(type, { namespace: 'shop' }, { signal: controller.signal })
    [Symbol.asyncIterator]();
  expect((await events.next()).value).toMatchObject({ type: 'snapshot' });
  expect((await events.next()).value).toEqual({ type: 'state', state: 'polling' });
  const next = events.next();
  while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
  controller.abort();
  expect((await next).done).toBe(true);
  expect(server.requests.some((request) => request.includes('watch'))).toBe(false);
});

test('without the right to list, a named object is polled by get through its whole life', async () => {
  const answers: Handler[] = [
    refusing(404),
    (_, response) => sendJson(response, 200, pod('db-0', '6')),
    (_, response) => sendJson(response, 200, pod('db-0', '6')),
    (_, response) =>
      sendJson(response, 200, { metadata: { ...pod('db-0', '9').metadata, uid: 'another uid' } }),
    refusing(404),
  ];
  let asked = 0;
  const { client, clock } = await startClient((request, response) => {
    if (!request.url?.startsWith('/api/v1/namespaces/shop/pods/db-0')) return sendStatus(response, 403);
    answers[Math.min(asked++, answers.length - 1)]?.(request, response);
  });
  const observer = new Observer(client, clock, { namespace: 'shop', name: 'db-0' });
  expect(await observer.take(6)).toEqual([
    'snapshot',
    'polling forbidden',
    'changed db-0@6',
    'deleted db-0@6',
    'changed db-0@9',
    'deleted db-0@9',
  ]);
});
