import { expect, test } from 'vitest';
import {
  event,
  expired,
  list,
  listing,
  Observer,
  open,
  pod,
  refusing,
  script,
  sending,
  versions,
} from '../../../../test/support/tls-server/observe-reflector.ts';
import { sendJson, sendStatus } from '../../../../test/support/tls-server/scripted-server.ts';
import { startClient } from '../../../../test/support/tls-server/start-client.ts';
import { PODS } from '../builtin-resources.ts';

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

test('a watch that ended continues from its last version, bookmarks included', async () => {
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

test('an abort ends it at any time and leaves nothing', async () => {
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
  for await (const received of client.reflect(PODS, { namespace: 'shop' }))
    if (received.type === 'changed') break;
  await serverSawClose;
  expect(clock.pending).toBe(0);
});

test('a failure comes with the time of the next try, which is then kept', async () => {
  const times: number[] = [];
  const { client, clock } = await startClient(
    script(
      [listing('5', pod('a'))],
      [
        refusing(503),
        (_, response) => {
          times.push(clock.now());
          response.flushHeaders();
        },
      ],
    ),
  );
  const stop = new AbortController();
  for await (const received of client.reflect(PODS, { namespace: 'shop' }, { signal: stop.signal })) {
    if (received.type !== 'state') continue;
    if (received.state === 'live') stop.abort();
    if (received.state !== 'retrying') continue;
    const { retryInMs = 0 } = received;
    expect(retryInMs).toBeGreaterThanOrEqual(400);
    const dueMs = clock.now() + retryInMs;
    // A slow consumer does not delay the retry.
    await clock.advance(retryInMs - 100);
    void clock.advance(100);
    times.unshift(dueMs);
  }
  expect(times[1]).toBe(times[0]);
});
