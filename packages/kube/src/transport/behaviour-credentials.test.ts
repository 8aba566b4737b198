import { expect, test } from 'vitest';
import { sendJson, sendStatus } from '../../../../test/support/tls-server/scripted-server.ts';
import { startClient } from '../../../../test/support/tls-server/start-client.ts';
import { PODS } from '../builtin-resources.ts';
import { CodedError } from '../values/coded-error.ts';

const WEB = { namespace: 'shop', name: 'web' };
const POD = { metadata: { ...WEB, uid: 'u', resourceVersion: '7' } };

test('401 gets new credentials and asks once more', async () => {
  const { client, connection, server } = await startClient((request, response) =>
    request.headers.authorization === 'Bearer token-1'
      ? sendJson(response, 200, POD)
      : sendStatus(response, 401, { reason: 'Unauthorized', message: 'Unauthorized' }),
  );
  await client.get(PODS, WEB);
  expect(connection.refreshes).toBe(1);
  expect(server.requests.length).toBe(2);
});

test('401 with fresh credentials is final', async () => {
  const { client, connection, server } = await startClient((_, response) => sendStatus(response, 401));
  await expect(client.get(PODS, WEB)).rejects.toMatchObject({ kind: 'unauthorized', status: 401 });
  expect(connection.refreshes).toBe(1);
  expect(server.requests.length).toBe(2);
});

test('401 is final at once where there is nothing to refresh', async () => {
  const { client, server } = await startClient((_, response) => sendStatus(response, 401), {
    connection: { refresh: async () => false },
  });
  await expect(client.get(PODS, WEB)).rejects.toMatchObject({ kind: 'unauthorized' });
  expect(server.requests.length).toBe(1);
});

test('a plugin that fails is an error of the credentials, which keeps its code', async () => {
  const cause = new CodedError('exec-plugin-failed', { plugin: 'login' });
  const { client, server } = await startClient(() => {}, {
    connection: { headers: () => Promise.reject(cause) },
  });
  await expect(client.get(PODS, WEB)).rejects.toMatchObject({
    kind: 'credentials',
    cause,
  });
  expect(server.requests.length).toBe(0);
});

test('a token that cannot be a header is an error of the credentials, which does not show it', async () => {
  const { client, server } = await startClient(() => {}, {
    connection: { headers: async () => ({ authorization: 'Bearer hunter2\nX-Evil: 1' }) },
  });
  const error = await client.get(PODS, WEB).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ kind: 'credentials' });
  expect(String(error)).not.toContain('hunter2');
  expect(server.requests.length).toBe(0);
});
