import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { type Handler, sendJson, sendStatus } from '../../../test/tls-server/scripted-server.ts';
import { startClient } from '../../../test/tls-server/start-client.ts';
import type { FakeClock } from '../../domain/clock.ts';
import { PODS } from '../builtin-resources.ts';
import type { KubeClient, KubeObject, ReflectorEvent } from '../client.ts';

type Query = Parameters<KubeClient['reflect']>[1];

const pod = (name: string, resourceVersion = '1') => ({
  metadata: { name, namespace: 'shop', uid: `uid-${name}`, resourceVersion },
});
const list = (resourceVersion: string, ...objects: unknown[]) => ({
  metadata: { resourceVersion },
  items: objects,
});
const event = (type: string, object: unknown) => `${JSON.stringify({ type, object })}\n`;
const expired = event('ERROR', { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' });

/** What a reflector says, one line an event, pulled by the test. */
class Observer {
  readonly #events: AsyncIterator<ReflectorEvent<KubeObject>>;
  readonly #controller = new AbortController();
  readonly #clock: FakeClock;

  constructor(client: KubeClient, clock: FakeClock, query: Query = { namespace: 'shop' }) {
    const { signal } = this.#controller;
    this.#events = client.reflect(PODS, query, { signal })[Symbol.asyncIterator]();
    this.#clock = clock;
  }

  /** The next event; lets time pass while it is awaited. */
  async next(stepMs = 100): Promise<string> {
    let settled = false;
    const next = this.#events.next().finally(() => {
      settled = true;
    });
    next.catch(() => {
      // Thrown by the await below.
    });
    for (let turns = 0; !settled; turns++) {
      await new Promise((resolve) => setImmediate(resolve));
      if (turns % 10 === 9 && this.#clock.pending > 0) await this.#clock.advance(stepMs);
    }
    const result = await next;
    return result.done ? 'end' : describe(result.value);
  }

  async take(count: number): Promise<string[]> {
    const events: string[] = [];
    while (events.length < count) events.push(await this.next());
    return events;
  }

  /** Ends it; resolves with what it said last. */
  stop(): Promise<string> {
    this.#controller.abort(new Error('enough'));
    return this.next();
  }
}

function describe(said: ReflectorEvent<KubeObject>): string {
  switch (said.type) {
    case 'snapshot':
      return `snapshot ${said.objects.map((object) => object.metadata.name).join(',')}`.trim();
    case 'state':
      return said.error === undefined ? said.state : `${said.state} ${said.error.kind}`;
    default:
      return `${said.type} ${said.object.metadata.name}@${said.object.metadata.resourceVersion}`;
  }
}

/** Answers lists and watches from two queues; the last answer of each is repeated. */
function script(lists: readonly Handler[], watches: readonly Handler[]): Handler {
  let listed = 0;
  let watched = 0;
  return (request: IncomingMessage, response: ServerResponse) => {
    const isWatch = request.url?.includes('watch=true');
    const queue = isWatch ? watches : lists;
    const index = isWatch ? watched++ : listed++;
    queue[Math.min(index, queue.length - 1)]?.(request, response);
  };
}

const listing =
  (resourceVersion: string, ...objects: unknown[]): Handler =>
  (_, response) =>
    sendJson(response, 200, list(resourceVersion, ...objects));
const refusing =
  (code: number, message = 'no'): Handler =>
  (_, response) =>
    sendStatus(response, code, { message });
const sending =
  (...lines: string[]): Handler =>
  (_, response) =>
    response.end(lines.join(''));
const open =
  (...lines: string[]): Handler =>
  (_, response) => {
    response.flushHeaders();
    if (lines.length > 0) response.write(lines.join(''));
  };
const cut =
  (...lines: string[]): Handler =>
  (_, response) =>
    response.write(`${lines.join('')}{"type":`, () => response.socket?.destroy());

const versions = (requests: readonly string[]) =>
  requests.map(
    (request) => new URL(request.slice(4), 'https://x').searchParams.get('resourceVersion') ?? 'list',
  );

test('a snapshot, then every change, from the version of the snapshot on', async () => {
  const { client, clock, server } = await startClient(
    script(
      [listing('5', pod('a'), pod('b'))],
      [
        open(
          event('ADDED', pod('c', '6')),
          event('MODIFIED', pod('a', '7')),
          event('BOOKMARK', { metadata: { resourceVersion: '8' } }),
          event('DELETED', pod('b', '9')),
        ),
      ],
    ),
  );
  const observer = new Observer(client, clock);
  expect(await observer.take(4)).toEqual(['snapshot a,b', 'changed c@6', 'changed a@7', 'deleted b@9']);
  expect(versions(server.requests)).toEqual(['list', '5']);
  expect(await observer.stop()).toBe('end');
});

test('a watch that ended goes on from the last version it said, bookmarks included', async () => {
  const { client, clock, server } = await startClient(
    script(
      [listing('5', pod('a'))],
      [
        sending(event('MODIFIED', pod('a', '6'))),
        sending(event('BOOKMARK', { metadata: { resourceVersion: '42' } })),
        open(event('DELETED', pod('a', '43'))),
      ],
    ),
  );
  const observer = new Observer(client, clock);
  expect(await observer.take(3)).toEqual(['snapshot a', 'changed a@6', 'deleted a@43']);
  expect(versions(server.requests)).toEqual(['list', '5', '6', '42']);
});

test('an expired version lists again at once, and the new snapshot replaces all', async () => {
  const { client, clock, server } = await startClient(
    script(
      [listing('5', pod('a'), pod('b')), listing('90', pod('b'))],
      [sending(expired), open(event('ADDED', pod('c', '91')))],
    ),
  );
  const before = clock.now();
  const observer = new Observer(client, clock);
  expect(await observer.next(0)).toBe('snapshot a,b');
  expect(await observer.next(0)).toBe('snapshot b');
  expect(await observer.next(0)).toBe('changed c@91');
  expect(clock.now()).toBe(before);
  expect(versions(server.requests)).toEqual(['list', '5', 'list', '90']);
});

test('versions that expire again and again are asked for ever more slowly', async () => {
  const times: number[] = [];
  const { client, clock } = await startClient(
    script(
      [
        (_, response) => {
          times.push(clock.now());
          sendJson(response, 200, list('5', pod('a')));
        },
      ],
      [sending(expired)],
    ),
  );
  const said = await new Observer(client, clock).take(12);
  expect(said.filter((line) => line === 'snapshot a').length).toBe(5);
  const waits = times.slice(1).map((time, i) => time - (times[i] ?? 0));
  expect(waits.length).toBe(4);
  for (const [i, least] of [0, 1600, 3200, 6400].entries()) expect(waits[i]).toBeGreaterThanOrEqual(least);
});

test('a cut watch is said, and goes on from where it was', async () => {
  const { client, clock, server } = await startClient(
    script(
      [listing('5', pod('a'))],
      [
        cut(event('MODIFIED', pod('a', '6'))),
        refusing(503),
        refusing(429),
        open(event('MODIFIED', pod('a', '7'))),
      ],
    ),
  );
  const observer = new Observer(client, clock);
  const said = await observer.take(6);
  expect(said).toEqual([
    'snapshot a',
    'changed a@6',
    'retrying connection',
    'retrying server',
    'live',
    'changed a@7',
  ]);
  expect(new Set(versions(server.requests).slice(2))).toEqual(new Set(['6']));
});

test.each([
  ['truncated JSON', (_: unknown, response: ServerResponse) => response.end('{"type":"ADDED","obj')],
  ['a version that the server calls bad', refusing(400)],
])('%s in a watch lists again', async (_, failure) => {
  const { client, clock } = await startClient(
    script(
      [listing('5', pod('a'), pod('b')), listing('9', pod('b'))],
      [failure as Handler, open(event('ADDED', pod('c', '10')))],
    ),
  );
  const said = await new Observer(client, clock).take(5);
  expect(said.filter((line) => !line.startsWith('retrying'))).toEqual([
    'snapshot a,b',
    'snapshot b',
    'live',
    'changed c@10',
  ]);
});

test('a watch that is never answered is given up and asked again', async () => {
  let watched = 0;
  const { client, clock } = await startClient(
    script(
      [listing('5', pod('a'))],
      [
        (_, response) => {
          // Two are left without an answer, then the server is itself again.
          if (++watched > 2) response.write(event('MODIFIED', pod('a', '6')));
        },
      ],
    ),
    { answerTimeoutMs: 50 },
  );
  expect(await new Observer(client, clock).take(5)).toEqual([
    'snapshot a',
    'retrying connection',
    'retrying connection',
    'live',
    'changed a@6',
  ]);
});

test('a watch that is reset at any byte loses no change and no deletion', async () => {
  const life = event('ADDED', pod('é', '6')) + event('DELETED', pod('a', '7'));
  const bytes = Buffer.from(life);
  for (let cutAt = 0; cutAt <= bytes.length; cutAt += 5) {
    const { client, clock } = await startClient((request, response) => {
      const version = new URL(request.url ?? '', 'https://x').searchParams.get('resourceVersion');
      if (version === null) return sendJson(response, 200, list('5', pod('a')));
      if (version === '5' && !wasCut) {
        wasCut = true;
        response.flushHeaders();
        response.write(bytes.subarray(0, cutAt), () => response.socket?.destroy());
        return;
      }
      const rest = life.split('\n').slice(Number(version) - 5);
      response.flushHeaders();
      response.write(rest.join('\n'));
    });
    let wasCut = false;
    const observer = new Observer(client, clock);
    const said: string[] = [];
    while (said.at(-1) !== 'deleted a@7') said.push(await observer.next());
    expect(
      said.filter((line) => !/^(retrying|live)/.test(line)),
      `cut at byte ${cutAt}`,
    ).toEqual(['snapshot a', 'changed é@6', 'deleted a@7']);
    await observer.stop();
  }
});

test('a relist that fails is tried until it works, more and more slowly', async () => {
  const { client, clock } = await startClient(
    script(
      [
        listing('5', pod('a')),
        ...Array.from({ length: 6 }, () => refusing(503)),
        refusing(403),
        refusing(401),
        refusing(401),
        listing('9', pod('b')),
      ],
      [sending(expired), open()],
    ),
  );
  const observer = new Observer(client, clock);
  const said: string[] = [];
  while (said.at(-1) !== 'snapshot b') said.push(await observer.next(500));
  expect(said[0]).toBe('snapshot a');
  expect(said.slice(1, -1)).toEqual(['retrying server', 'retrying forbidden', 'retrying unauthorized']);
  expect(await observer.next()).toBe('live');
});

test('a server that ends every watch at once is not asked in a hot loop', async () => {
  const { client, clock, server } = await startClient(script([listing('5', pod('a'))], [sending()]));
  const observer = new Observer(client, clock);
  await observer.next();
  const startedAtMs = clock.now();
  void observer.next(100);
  await server.waitForRequests(7);
  // 0.8 + 1.6 + 3.2 + 6.4 + 12.8 s lie between seven requests.
  expect(clock.now() - startedAtMs).toBeGreaterThanOrEqual(24_800);
  await observer.stop();
});

test('a version from the future, which a server answers with silence, is found out by a list', async () => {
  const { client, clock } = await startClient(
    script([listing('9999999', pod('old')), listing('5', pod('new'))], [open()]),
  );
  const observer = new Observer(client, clock);
  expect(await observer.next()).toBe('snapshot old');
  expect(await observer.next(10_000)).toBe('snapshot new');
});

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
  const said = await observer.take(7);
  expect(said).toEqual([
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

test('a poll that fails is said, and polling goes on', async () => {
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
  const said = await new Observer(client, clock).take(6);
  expect(said.slice(2)).toEqual(['polling http', 'retrying server', 'polling http', 'changed a@6']);
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

test('a name is a field selector', async () => {
  const { client, clock, server } = await startClient(script([listing('5', pod('a'))], [open()]));
  const observer = new Observer(client, clock, { namespace: 'shop', name: 'a', fieldSelector: 'x=y' });
  await observer.next();
  void observer.next();
  await server.waitForRequests(2);
  for (const request of server.requests) {
    expect(new URL(request.slice(4), server.url).searchParams.get('fieldSelector')).toBe(
      'x=y,metadata.name=a',
    );
  }
  await observer.stop();
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

test.each([
  ['list', { namespace: 'shop' }],
  ['list and to get by name', { namespace: 'shop', name: 'ghost' }],
])('without the right to %s it is thrown before the first snapshot', async (_, query) => {
  const { client, clock } = await startClient(refusing(403, 'not you'));
  await expect(new Observer(client, clock, query).next()).rejects.toMatchObject({
    kind: 'forbidden',
    message: 'not you',
  });
});

test('a first list that stays unanswered is thrown', async () => {
  const { client, clock } = await startClient(refusing(503, 'starting'));
  await expect(new Observer(client, clock).next()).rejects.toMatchObject({
    kind: 'server',
    message: 'starting',
  });
});

test('pages that expire are listed again in one piece, so that no deletion falls between them', async () => {
  const { client, clock, server } = await startClient((request, response) => {
    const url = new URL(request.url ?? '', 'https://x');
    if (url.searchParams.has('watch')) return response.flushHeaders();
    if (url.searchParams.has('continue')) {
      return sendStatus(response, 410, { metadata: { continue: 'inconsistent' } });
    }
    if (!url.searchParams.has('limit')) return sendJson(response, 200, list('9', pod('b'), pod('c')));
    sendJson(response, 200, {
      metadata: { resourceVersion: '5', continue: 'next' },
      items: [pod('a'), pod('b')],
    });
  });
  const observer = new Observer(client, clock);
  expect(await observer.next()).toBe('snapshot b,c');
  void observer.next();
  await server.waitForRequests(4);
  expect(versions(server.requests)).toEqual(['list', 'list', 'list', '9']);
  await observer.stop();
});

test('an abort ends it at any time, with nothing left behind', async () => {
  const { client, clock } = await startClient(script([listing('5', pod('a'))], [refusing(503)]));
  const observer = new Observer(client, clock);
  await observer.take(2);
  expect(await observer.stop()).toBe('end');
  expect(clock.pending).toBe(0);
  const early = new Observer(client, clock);
  expect(await early.stop()).toBe('end');
});

test('leaving the loop early closes the watch', async () => {
  let closed: (() => void) | undefined;
  const serverSawClose = new Promise<void>((resolve) => {
    closed = resolve;
  });
  const { client, clock } = await startClient(
    script(
      [listing('5')],
      [
        (_, response) => {
          response.on('close', () => closed?.());
          response.write(event('ADDED', pod('a', '6')));
        },
      ],
    ),
  );
  for await (const said of client.reflect(PODS, { namespace: 'shop' })) if (said.type === 'changed') break;
  await serverSawClose;
  expect(clock.pending).toBe(0);
});
