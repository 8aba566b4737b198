import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import {
  cut,
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
import { type Handler, sendJson } from '../../../../test/support/tls-server/scripted-server.ts';
import { startClient } from '../../../../test/support/tls-server/start-client.ts';

test('asks ever more slowly for versions that expire again and again', async () => {
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
  const lines = await new Observer(client, clock).take(12);
  expect(lines.filter((line) => line === 'snapshot a').length).toBe(5);
  const waits = times.slice(1).map((time, i) => time - (times[i] ?? 0));
  expect(waits.length).toBe(4);
  for (const [i, least] of [0, 1600, 3200, 6400].entries()) expect(waits[i]).toBeGreaterThanOrEqual(least);
});

test('reports a cut watch, and continues where it was', async () => {
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
  const lines = await observer.take(6);
  expect(lines).toEqual([
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
  const lines = await new Observer(client, clock).take(5);
  expect(lines.filter((line) => !line.startsWith('retrying'))).toEqual([
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
          // Leaves two watches without an answer, then works again.
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
    const lines: string[] = [];
    while (lines.at(-1) !== 'deleted a@7') lines.push(await observer.next());
    expect(
      lines.filter((line) => !/^(retrying|live)/.test(line)),
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
  const lines: string[] = [];
  while (lines.at(-1) !== 'snapshot b') lines.push(await observer.next(500));
  expect(lines[0]).toBe('snapshot a');
  expect(lines.slice(1, -1)).toEqual(['retrying server', 'retrying forbidden', 'retrying unauthorized']);
  expect(await observer.next()).toBe('live');
});

test('a server that ends every watch at once is not asked in a hot loop', async () => {
  const { client, clock, server } = await startClient(script([listing('5', pod('a'))], [sending()]));
  const observer = new Observer(client, clock);
  await observer.next();
  const startedAtMs = clock.now();
  void observer.next(100);
  await server.waitForRequests(7);
  // Between seven requests there are 0.8 + 1.6 + 3.2 + 6.4 + 12.8 s.
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

test('a server that is back after an outage, without its old versions, is listed without a further wait', async () => {
  const { client, clock } = await startClient(
    script(
      [listing('5', pod('a'), pod('b')), listing('9', pod('b'))],
      [refusing(503), refusing(503), sending(expired), open(event('ADDED', pod('c', '10')))],
    ),
  );
  // A wait would be reported as `retrying gone`.
  expect(await new Observer(client, clock).take(6)).toEqual([
    'snapshot a,b',
    'retrying server',
    'retrying server',
    'live',
    'snapshot b',
    'changed c@10',
  ]);
});
