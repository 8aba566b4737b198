import { expect, test } from 'vitest';
import { sendStatus } from '../../../../test/support/tls-server/scripted-server.ts';
import { startClient } from '../../../../test/support/tls-server/start-client.ts';
import { PODS } from '../builtin-resources.ts';
import type { KubeClient, RequestOptions, WatchEvent } from '../client.ts';

const QUERY = { namespace: 'shop', resourceVersion: '5' };
const pod = (name: string, resourceVersion: string) => ({
  metadata: { name, uid: `uid-${name}`, resourceVersion },
});
const line = (type: string, object: unknown) => `${JSON.stringify({ type, object })}\n`;

const LIFE =
  line('ADDED', pod('naïve-✓', '6')) +
  line('MODIFIED', pod('naïve-✓', '7')) +
  line('BOOKMARK', { kind: 'Pod', metadata: { resourceVersion: '9' }, spec: { containers: null } }) +
  line('DELETED', pod('naïve-✓', '10'));
const LIFE_EVENTS = ['ADDED naïve-✓ 6', 'MODIFIED naïve-✓ 7', 'BOOKMARK 9', 'DELETED naïve-✓ 10'];

async function collect(client: KubeClient, options?: RequestOptions) {
  const seen: string[] = [];
  try {
    for await (const event of client.watch(PODS, QUERY, options)) seen.push(describe(event));
  } catch (error) {
    return { seen, error };
  }
  return { seen, error: undefined };
}

function describe(event: WatchEvent<{ metadata: { name: string; uid: string; resourceVersion: string } }>) {
  const name = event.type === 'BOOKMARK' ? '' : ` ${event.object.metadata.name}`;
  return `${event.type}${name} ${event.object.metadata.resourceVersion}`;
}

test('a watch asks for bookmarks and for an end within ten minutes', async () => {
  const { client, server } = await startClient((_, response) => response.end(), { random: () => 0.5 });
  await collect(client);
  expect(server.requests).toEqual([
    'GET /api/v1/namespaces/shop/pods?watch=true&allowWatchBookmarks=true&timeoutSeconds=450&resourceVersion=5',
  ]);
  expect(server.headers[0]?.['accept-encoding']).toBe('identity');
});

test('events are the same whatever the edges of the chunks', async () => {
  const bytes = Buffer.from(LIFE);
  const { client, server } = await startClient(() => {});
  for (let cut = 1; cut < bytes.length; cut++) {
    server.handle((_, response) => {
      response.write(bytes.subarray(0, cut));
      setImmediate(() => response.end(bytes.subarray(cut)));
    });
    expect(await collect(client), `cut at byte ${cut}`).toEqual({ seen: LIFE_EVENTS, error: undefined });
  }
});

test('an expired version is thrown as gone, with the words of the server', async () => {
  const status = {
    kind: 'Status',
    code: 410,
    reason: 'Expired',
    message: 'too old resource version: 1 (3177)',
  };
  const { client } = await startClient((_, response) => response.end(line('ERROR', status)));
  expect((await collect(client)).error).toMatchObject({
    kind: 'gone',
    status: 410,
    message: 'too old resource version: 1 (3177)',
    request: { verb: 'watch', resource: 'pods', namespace: 'shop' },
  });
});

test('another ERROR event has the kind of its code', async () => {
  const { client } = await startClient((_, response) =>
    response.end(
      LIFE + line('ERROR', { kind: 'Status', code: 500, message: 'etcd', details: { retryAfterSeconds: 4 } }),
    ),
  );
  expect(await collect(client)).toMatchObject({
    seen: LIFE_EVENTS,
    error: { kind: 'server', status: 500, retryAfterMs: 4000 },
  });
});

test.each([
  ['an unknown type', line('HELLO', {})],
  ['an event without object', '{"type":"ADDED"}\n'],
  ['an ERROR that says nothing', line('ERROR', {})],
  ['a bookmark without version', line('BOOKMARK', { metadata: {} })],
  ['a truncated event', line('ADDED', pod('a', '6')).slice(0, 40)],
  ['a list', '[1,2]\n'],
])('%s is an error of the protocol', async (_, body) => {
  const { client } = await startClient((_request, response) => response.end(body));
  expect((await collect(client)).error).toMatchObject({ kind: 'protocol' });
});

test('a cut in the middle is an error of the connection, after the events that came whole', async () => {
  const cut = Buffer.byteLength(line('ADDED', pod('a', '6'))) + 10;
  const text = line('ADDED', pod('a', '6')) + line('MODIFIED', pod('a', '7'));
  const { client } = await startClient((_, response) => {
    response.write(text.slice(0, cut), () => response.socket?.destroy());
  });
  expect(await collect(client)).toMatchObject({ seen: ['ADDED a 6'], error: { kind: 'connection' } });
});

test('a refused watch is thrown', async () => {
  const { client } = await startClient((_, response) => sendStatus(response, 403, { message: 'no' }));
  expect((await collect(client)).error).toMatchObject({ kind: 'forbidden', message: 'no' });
});

test('the client ends a silent watch, to request it again', async () => {
  const { client, clock } = await startClient((_, response) => response.flushHeaders());
  let ended = false;
  const silent = collect(client).finally(() => {
    ended = true;
  });
  while (clock.pending === 0) await turn();
  await clock.advance(149_000);
  await turn();
  expect(ended).toBe(false);
  await clock.advance(1_000);
  expect(await silent).toEqual({ seen: [], error: undefined });
  expect(clock.pending).toBe(0);
});

test('a watch that its server forgets to end is ended here, however much it sends', async () => {
  let sent = 0;
  let send = () => {};
  const { client, clock } = await startClient(
    (_, response) => {
      send = () => {
        sent++;
        response.write(line('BOOKMARK', { metadata: { resourceVersion: '9' } }));
      };
      send();
    },
    { random: () => 0 },
  );
  const startedAtMs = clock.now();
  let heard = 0;
  let ended = false;
  const watching = (async () => {
    for await (const event of client.watch(PODS, QUERY)) if (event.type === 'BOOKMARK') heard++;
    ended = true;
  })();
  while (!ended) {
    while (!ended && heard < Math.max(1, sent)) await turn();
    await clock.advance(60_000);
    await turn();
    if (!ended) send();
  }
  await watching;
  expect(clock.now() - startedAtMs).toBe(360_000);
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('an abort ends a silent watch at once', async () => {
  const controller = new AbortController();
  const { client, server, clock } = await startClient((_, response) => response.flushHeaders());
  const watching = collect(client, { signal: controller.signal });
  await server.waitForRequests(1);
  const reason = new Error('enough');
  controller.abort(reason);
  expect((await watching).error).toBe(reason);
  expect(clock.pending).toBe(0);
});
