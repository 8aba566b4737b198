import { expect, test } from 'vitest';
import { sendStatus } from '../../../../test/support/tls-server/scripted-server.ts';
import { passTime, startClient } from '../../../../test/support/tls-server/start-client.ts';
import { PODS } from '../builtin-resources.ts';

const WEB = { namespace: 'shop', name: 'web' };

test('a page of a proxy instead of a Status is an error with its title', async () => {
  const { client } = await startClient((_, response) => {
    response.writeHead(403, { 'content-type': 'text/html' });
    response.end('<html><head><title>Access denied by policy</title></head><body>...</body></html>');
  });
  await expect(client.get(PODS, WEB)).rejects.toMatchObject({
    kind: 'forbidden',
    message: 'Access denied by policy',
  });
});

test('an error body without end is not kept', async () => {
  const { client, clock } = await startClient((_, response) => {
    response.writeHead(400);
    const send = () => {
      while (response.write(Buffer.alloc(64 * 1024, 'x')));
      response.once('drain', send);
    };
    send();
  });
  await expect(passTime(clock, client.get(PODS, WEB))).rejects.toMatchObject({
    kind: 'bad-request',
    status: 400,
  });
});

test('200 with something that is not JSON says what came', async () => {
  const { client } = await startClient((_, response) => response.end('<html>Sign in'));
  await expect(client.get(PODS, WEB)).rejects.toMatchObject({
    kind: 'protocol',
    problem: { code: 'not-json', data: { begin: '"<html>Sign in"' } },
  });
});

test('a redirect names where it leads', async () => {
  const { client } = await startClient((_, response) =>
    response.writeHead(302, { location: 'https://login.example.com/' }).end(),
  );
  await expect(client.get(PODS, WEB)).rejects.toMatchObject({
    kind: 'http',
    problem: { code: 'redirect', data: { status: 302, location: 'https://login.example.com/' } },
  });
});

test('a 404 that is cut before it names its subject is requested again', async () => {
  let asked = 0;
  const { client, clock } = await startClient((_, response) => {
    if (++asked > 1) return sendStatus(response, 404, { reason: 'NotFound', details: { name: 'web' } });
    response.writeHead(404, { 'content-type': 'application/json', 'content-length': 200 });
    response.write('{"kind":"Status",', () => response.destroy());
  });
  await expect(passTime(clock, client.get(PODS, WEB))).rejects.toMatchObject({
    kind: 'not-found',
    details: { name: 'web' },
  });
  expect(asked).toBe(2);
});
