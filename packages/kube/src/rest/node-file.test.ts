import { expect, test } from 'vitest';
import { startClient } from '../../../../test/support/tls-server/start-client.ts';

const FILE = { node: 'node-1', path: ['pods', 'shop_web_u', 'app', '0.log'] };

async function textOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

test('asks the kubelet for a file or a part of it, with names escaped', async () => {
  const { client, server } = await startClient((_, response) => response.end('x'));
  await client.nodeFile(FILE);
  await client.nodeFile({ ...FILE, range: { from: 5 } });
  await client.nodeFile({ ...FILE, range: { from: 5, to: 9 } });
  await client.nodeFile({ ...FILE, range: { last: 512 } });
  await client.nodeFile({ node: 'node-1', path: ['pods', 'a b?c'], isFolder: true });
  const path = '/api/v1/nodes/node-1/proxy/logs/pods';
  expect(server.requests).toEqual([
    ...Array.from({ length: 4 }, () => `GET ${path}/shop_web_u/app/0.log`),
    `GET ${path}/a%20b%3Fc/`,
  ]);
  expect(server.headers.map(({ range }) => range)).toEqual([
    undefined,
    'bytes=5-',
    'bytes=5-9',
    'bytes=-512',
    undefined,
  ]);
  expect(new Set(server.headers.map(({ accept }) => accept))).toEqual(new Set(['*/*']));
});

test('returns where a part begins, and the size of the file', async () => {
  const { client, server } = await startClient((_, response) => {
    response.writeHead(206, { 'content-range': 'bytes 20181-20184/20241' }).end('abcd');
  });
  const range = await client.nodeFile({ ...FILE, range: { last: 60 } });
  expect([range.from, range.size, await textOf(range.body)]).toEqual([20181, 20241, 'abcd']);
  // An empty file (test/recorded/nodes/empty-file-suffix.json).
  server.handle((_, response) => void response.writeHead(206, { 'content-range': 'bytes 0--1/0' }).end());
  const empty = await client.nodeFile({ ...FILE, range: { last: 60 } });
  expect([empty.from, empty.size, await textOf(empty.body)]).toEqual([0, 0, '']);
});

test('a part after the end is empty; an odd range in the answer is an error', async () => {
  const { client, server } = await startClient((_, response) => {
    response
      .writeHead(416, { 'content-range': 'bytes */20241', 'content-type': 'text/plain' })
      .end('invalid range: failed to overlap\n');
  });
  expect(await textOf((await client.nodeFile({ ...FILE, range: { from: 20241 } })).body)).toBe('');
  await expect(client.nodeFile(FILE)).rejects.toMatchObject({ kind: 'http', status: 416 });
  for (const odd of ['bytes 5-9/*', 'bytes 1-2', 'lines 1-2/3', `bytes ${'9'.repeat(30)}-1/3`]) {
    server.handle((_, response) => void response.writeHead(206, { 'content-range': odd }).end('x'));
    await expect(client.nodeFile({ ...FILE, range: { from: 5 } })).rejects.toMatchObject({
      kind: 'protocol',
      problem: { code: 'bad-content-range', data: { text: odd } },
    });
  }
});

test('a name that would lead elsewhere is never sent', async () => {
  const { client, server } = await startClient((_, response) => response.end());
  for (const path of [['..', 'etc'], ['pods', ''], ['.']])
    await expect(client.nodeFile({ node: 'node-1', path })).rejects.toMatchObject({ kind: 'bad-request' });
  expect(server.requests).toEqual([]);
});
