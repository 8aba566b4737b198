import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { sendJson, sendStatus } from '../../../../test/support/tls-server/scripted-server.ts';
import { passTime, startClient } from '../../../../test/support/tls-server/start-client.ts';
import { NODES, PODS } from '../builtin-resources.ts';
import type { CollectionQuery, KubeClient, KubeObject } from '../client.ts';

const pod = (name: string) => ({ metadata: { name, uid: `uid-${name}`, resourceVersion: '1' } });

const page = (names: readonly string[], next?: string, resourceVersion = '9') => ({
  kind: 'PodList',
  metadata: { resourceVersion, ...(next === undefined ? {} : { continue: next }) },
  items: names.map(pod),
});

async function names(
  client: KubeClient,
  query: CollectionQuery = { namespace: 'shop' },
): Promise<string[][]> {
  const pages: string[][] = [];
  for await (const { items } of client.list(PODS, query)) pages.push(items.map((item) => item.metadata.name));
  return pages;
}

const continueOf = (url = '') => new URL(url, 'https://x').searchParams.get('continue');

test('a list comes in pages of 500, compressed', async () => {
  const { client, server } = await startClient((request, response) => {
    const body = continueOf(request.url) === 'next' ? page(['c']) : page(['a', 'b'], 'next');
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'application/json' });
    response.end(gzipSync(JSON.stringify(body)));
  });
  expect(await names(client)).toEqual([['a', 'b'], ['c']]);
  expect(server.requests).toEqual([
    'GET /api/v1/namespaces/shop/pods?limit=500',
    'GET /api/v1/namespaces/shop/pods?limit=500&continue=next',
  ]);
  expect(server.headers[0]?.['accept-encoding']).toBe('gzip');
});

test('selectors, all namespaces and cluster-wide kinds', async () => {
  const { client, server } = await startClient((_, response) => sendJson(response, 200, page([])));
  await names(client, {
    labelSelector: 'app in (a,b)',
    fieldSelector: 'spec.nodeName=n',
    metadataOnly: true,
  });
  for await (const _ of client.list(NODES, { namespace: 'shop' }));
  expect(server.requests).toEqual([
    'GET /api/v1/pods?labelSelector=app+in+%28a%2Cb%29&fieldSelector=spec.nodeName%3Dn&limit=500',
    'GET /api/v1/nodes?limit=500',
  ]);
  expect(server.headers[0]?.accept).toBe(
    'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json',
  );
});

test('an expired token continues with the one that the server offers, and each object comes once', async () => {
  const { client } = await startClient((request, response) => {
    switch (continueOf(request.url)) {
      case null:
        return sendJson(response, 200, page(['a', 'b'], 'old'));
      case 'old':
        return sendStatus(response, 410, { reason: 'Expired', metadata: { continue: 'inconsistent' } });
      default:
        return sendJson(response, 200, page(['b', 'c']));
    }
  });
  expect(await names(client)).toEqual([['a', 'b'], ['c']]);
});

test('an expired token without another lists again in one piece, and each object comes once', async () => {
  const { client, server } = await startClient((request, response) => {
    const whole = !request.url?.includes('limit=');
    if (continueOf(request.url) === 'old') return sendStatus(response, 410, { reason: 'Expired' });
    sendJson(response, 200, whole ? page(['a', 'b', 'c']) : page(['a', 'b'], 'old'));
  });
  expect(await names(client)).toEqual([['a', 'b'], ['c']]);
  expect(server.requests.length).toBe(3);
});

test('does not ask a server that never advances forever', async () => {
  const { client } = await startClient((_, response) => sendJson(response, 200, page(['a'], 'same')));
  await expect(names(client)).rejects.toMatchObject({ kind: 'protocol' });
  const expired = await startClient((request, response) =>
    continueOf(request.url) === null
      ? sendJson(response, 200, page(['a'], 'old'))
      : sendStatus(response, 410, { metadata: { continue: continueOf(request.url) } }),
  );
  await expect(names(expired.client)).rejects.toMatchObject({ kind: 'gone' });
  expect(expired.server.requests.length).toBeLessThan(5);
});

test('a list of nothing may be null', async () => {
  const { client } = await startClient((_, response) =>
    sendJson(response, 200, { metadata: { resourceVersion: '1' }, items: null }),
  );
  expect(await names(client)).toEqual([[]]);
});

test.each([
  ['text', '"hello"'],
  ['an array', '[]'],
  ['no metadata', '{"items":[]}'],
  ['items that are no list', '{"metadata":{},"items":{}}'],
  ['an item without a name', '{"metadata":{},"items":[{"metadata":{}}]}'],
  ['labels that are a text', '{"metadata":{},"items":[{"metadata":{"name":"a","labels":"x"}}]}'],
  ['a label that is an object', '{"metadata":{},"items":[{"metadata":{"name":"a","labels":{"a":{}}}}]}'],
  ['owners without uid', '{"metadata":{},"items":[{"metadata":{"name":"a","ownerReferences":[{}]}}]}'],
])('%s instead of a list is an error of the protocol', async (_, body) => {
  const { client } = await startClient((_request, response) => response.end(body));
  await expect(names(client)).rejects.toMatchObject({ kind: 'protocol' });
});

test('JSON that breaks off at any byte of a clean answer is asked for again', async () => {
  const text = JSON.stringify(page(['a', 'b']));
  const { client, clock, server } = await startClient(() => {});
  for (let cut = 1; cut < text.length; cut += 3) {
    const before = server.requests.length;
    server.handle((_, response) =>
      response.end(server.requests.length > before + 1 ? text : text.slice(0, cut)),
    );
    expect(await passTime(clock, names(client)), `cut at byte ${cut}`).toEqual([['a', 'b']]);
  }
});

test('JSON that is always broken is an error of the protocol in the end', async () => {
  const { client, clock, server } = await startClient((_, response) => response.end('{"metadata":'));
  await expect(passTime(clock, names(client))).rejects.toMatchObject({ kind: 'protocol' });
  expect(server.requests.length).toBe(5);
});

test('compressed data that is broken is an error of the protocol, a cut one is asked for again', async () => {
  const good = gzipSync(JSON.stringify(page(['a'])));
  const { client, clock, server } = await startClient((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' });
    response.end(Buffer.from('no gzip at all'));
  });
  await expect(names(client)).rejects.toMatchObject({ kind: 'protocol' });
  server.handle((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': good.length });
    if (server.requests.length > 2) response.end(good);
    else response.write(good.subarray(0, 20), () => response.socket?.destroy());
  });
  expect(await passTime(clock, names(client))).toEqual([['a']]);
});

test('of each object only what the caller keeps is held', async () => {
  const { client } = await startClient((request, response) =>
    sendJson(response, 200, continueOf(request.url) === 'next' ? page(['c']) : page(['a', 'b'], 'next')),
  );
  const keep = ({ metadata: { name, uid, resourceVersion } }: KubeObject) => ({
    metadata: { name: `${name}!`, uid, resourceVersion },
  });
  const kept: string[] = [];
  for await (const { items } of client.list(PODS, { namespace: 'shop' }, { keep }))
    kept.push(...items.map(({ metadata }) => metadata.name));
  expect(kept).toEqual(['a!', 'b!', 'c!']);
  const snapshots = client.reflect(PODS, { namespace: 'shop' }, { keep });
  for await (const event of snapshots) {
    if (event.type !== 'snapshot') continue;
    expect(event.objects.map(({ metadata }) => metadata.name)).toEqual(['a!', 'b!', 'c!']);
    break;
  }
});
