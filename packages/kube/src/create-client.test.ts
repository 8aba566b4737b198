import { expect, onTestFinished, test } from 'vitest';
import { sendJson } from '../../../test/support/tls-server/scripted-server.ts';
import { startClient } from '../../../test/support/tls-server/start-client.ts';
import { DEPLOYMENTS, PODS } from './builtin-resources.ts';
import { createKubeClient } from './create-client.ts';
import type { RequestReport } from './transport/wire.ts';

const pod = (name: string, resourceVersion = '7') => ({
  metadata: { name, namespace: 'shop', uid: `uid-${name}`, resourceVersion },
});

test('a get sends the credentials and the name of the program, and gives the object', async () => {
  const { client, server } = await startClient((_, response) => sendJson(response, 200, pod('web')));
  const object = await client.get(PODS, { namespace: 'shop', name: 'web' });
  expect(object.metadata.name).toBe('web');
  expect(server.requests).toEqual(['GET /api/v1/namespaces/shop/pods/web']);
  expect(server.headers[0]).toMatchObject({
    authorization: 'Bearer token-0',
    'user-agent': 'logtool/test',
    accept: 'application/json',
  });
});

test('requests one after the other share one connection', async () => {
  const { client, server } = await startClient((_, response) => sendJson(response, 200, pod('web')));
  for (let i = 0; i < 5; i++) await client.get(PODS, { namespace: 'shop', name: 'web' });
  expect(server.connections).toBe(1);
});

test('the server URL may have a path, which goes before every request', async () => {
  const { server, connection, clock } = await startClient((_, response) =>
    sendJson(response, 200, pod('web')),
  );
  const url = new URL('/k8s/clusters/c-1/', server.url);
  const client = createKubeClient({ ...connection, server: url }, { clock, userAgent: 'logtool/test' });
  await client.get(DEPLOYMENTS, { namespace: 'shop', name: 'web' });
  expect(server.requests).toEqual(['GET /k8s/clusters/c-1/apis/apps/v1/namespaces/shop/deployments/web']);
  expect(client.cluster.server).toBe(`${server.url.origin}/k8s/clusters/c-1`);
});

test('requests only metadata by its own media type', async () => {
  const { client, server } = await startClient((_, response) => sendJson(response, 200, pod('web')));
  await client.getMetadata(PODS, { namespace: 'shop', name: 'web' });
  expect(server.headers[0]?.accept).toBe(
    'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json',
  );
});

test('a name that would lead to another path is refused before it is sent', async () => {
  const { client, server } = await startClient((_, response) => sendJson(response, 200, pod('web')));
  await expect(client.get(PODS, { namespace: '..', name: 'web' })).rejects.toMatchObject({
    kind: 'bad-request',
  });
  await client.get(PODS, { namespace: 'a/b?c', name: 'x#y' });
  expect(server.requests).toEqual(['GET /api/v1/namespaces/a%2Fb%3Fc/pods/x%23y']);
});

test('each request is reported with its status and without secrets', async () => {
  const reports: RequestReport[] = [];
  const { client, server } = await startClient((_, response) => sendJson(response, 200, pod('web')), {
    onRequest: (report) => reports.push(report),
  });
  await client.get(PODS, { namespace: 'shop', name: 'web' });
  await server.close();
  await client.get(PODS, { namespace: 'shop', name: 'web' }).catch(() => {});
  expect(reports[0]).toEqual({
    method: 'GET',
    url: `${server.url.origin}/api/v1/namespaces/shop/pods/web`,
    status: 200,
    durationMs: expect.any(Number),
    error: undefined,
  });
  expect(reports.at(-1)).toMatchObject({ status: undefined, error: expect.stringContaining('ECONNREFUSED') });
  expect(JSON.stringify(reports)).not.toContain('token-0');
});

test('a request that is given up before its answer is reported as that', async () => {
  const reports: RequestReport[] = [];
  const abort = new AbortController();
  const { client } = await startClient(() => abort.abort(new Error('given up')), {
    onRequest: (report) => reports.push(report),
  });
  const asked = client.get(PODS, { namespace: 'shop', name: 'web' }, { signal: abort.signal });
  await expect(asked).rejects.toThrow('given up');
  expect(reports).toMatchObject([{ status: undefined, isCanceled: true }]);
});

test('an access review carries the question and gives the verdict', async () => {
  let body = '';
  const { client, server } = await startClient((request, response) => {
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => sendJson(response, 201, { status: { allowed: true } }));
  });
  const allowed = await client.review({
    verb: 'get',
    group: '',
    resource: 'pods',
    subresource: 'log',
    namespace: 'shop',
    name: 'db-0',
  });
  expect(allowed).toBe(true);
  expect(server.requests).toEqual(['POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews']);
  expect(JSON.parse(body)).toEqual({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: {
      resourceAttributes: {
        verb: 'get',
        group: '',
        resource: 'pods',
        subresource: 'log',
        namespace: 'shop',
        name: 'db-0',
      },
    },
  });
});

test('one signal may end a hundred streams, without a word of Node on stderr', async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  const { client } = await startClient((_, response) => response.flushHeaders());
  const controller = new AbortController();
  const { signal } = controller;
  const logs = await Promise.all(
    Array.from({ length: 100 }, () =>
      client.log({ namespace: 'shop', pod: 'web', follow: true }, { signal }),
    ),
  );
  const ends = logs.map(({ body }) => body[Symbol.asyncIterator]().next());
  controller.abort(new Error('enough'));
  for (const end of ends) await expect(end).rejects.toThrow('enough');
  // Warnings are emitted in a separate tick.
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toEqual([]);
});

test('the version of a cluster is asked for, and what is none is no answer', async () => {
  const { server, connection, clock } = await startClient((_, response) =>
    sendJson(response, 200, { major: '1', gitVersion: 'v1.35.0+k3s1' }),
  );
  const client = createKubeClient(connection, { clock, userAgent: 'logtool/test' });
  expect(await client.version()).toBe('v1.35.0+k3s1');
  expect(server.requests).toEqual(['GET /version']);
  server.handle((_, response) => sendJson(response, 200, { gitVersion: 7 }));
  await expect(client.version()).rejects.toMatchObject({ kind: 'protocol' });
  server.handle((_, response) =>
    sendJson(response, 401, { kind: 'Status', code: 401, message: 'Unauthorized' }),
  );
  await expect(client.version()).rejects.toMatchObject({ kind: 'unauthorized' });
});
