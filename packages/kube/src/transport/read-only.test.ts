import { expect, test } from 'vitest';
import { sendJson } from '../../../../test/support/tls-server/scripted-server.ts';
import { startClient } from '../../../../test/support/tls-server/start-client.ts';
import { CONFIG_MAPS, DEPLOYMENTS, PODS, SECRETS } from '../builtin-resources.ts';
import type { KubeClient } from '../client.ts';
import { checkReadOnly } from './read-only.ts';
import type { WireRequest } from './wire.ts';

async function all(items: AsyncIterable<unknown>): Promise<unknown> {
  const found: unknown[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const REFUSED = { kind: 'bad-request', problem: { code: 'not-read-only' } };
const query = { namespace: 'shop' };
const ref = { namespace: 'shop', name: 'web' };

const ATTEMPTS: readonly (readonly [string, (client: KubeClient) => Promise<unknown>])[] = [
  ['create', (client) => client.create(PODS, 'shop', {})],
  ['update', (client) => client.update(PODS, ref, {})],
  ['patch', (client) => client.patch(DEPLOYMENTS, ref, 'application/merge-patch+json', {})],
  ['delete', (client) => client.delete(PODS, ref)],
  ['get of a Secret', (client) => client.get(SECRETS, ref)],
  ['metadata of a Secret', (client) => client.getMetadata(SECRETS, ref)],
  ['list of Secrets', (client) => all(client.list(SECRETS, query))],
  ['list of Secrets everywhere', (client) => all(client.list(SECRETS, {}))],
  ['watch of Secrets', (client) => all(client.watch(SECRETS, { ...query, resourceVersion: '1' }))],
  ['reflection of Secrets', (client) => all(client.reflect(SECRETS, query))],
  ['get of a ConfigMap', (client) => client.get(CONFIG_MAPS, ref)],
  ['list of ConfigMaps', (client) => all(client.list(CONFIG_MAPS, query))],
];

test.each(ATTEMPTS)('a read-only client refuses %s before anything is sent', async (_, attempt) => {
  const { client, server } = await startClient((_request, response) => sendJson(response, 200, {}), {
    readOnly: true,
  });
  await expect(attempt(client)).rejects.toMatchObject(REFUSED);
  expect(server.requests).toEqual([]);
});

test('a read-only client gets, lists, watches, reads logs, discovers and asks for its rights', async () => {
  const { client, server } = await startClient(
    (request, response) =>
      sendJson(response, request.method === 'POST' ? 201 : 200, {
        metadata: { name: 'web', uid: 'u', resourceVersion: '7' },
        items: [],
        status: { allowed: true },
        gitVersion: 'v1.35.0',
        groups: [],
        versions: [],
      }),
    { readOnly: true },
  );
  await client.get(PODS, ref);
  await all(client.list(DEPLOYMENTS, query));
  await client.log({ namespace: 'shop', pod: 'web', tailLines: 1 });
  await client.version();
  await client.discover();
  expect(await client.review({ verb: 'get', group: '', resource: 'pods' })).toBe(true);
  expect(server.requests.map((request) => request.split('?')[0])).toEqual([
    'GET /api/v1/namespaces/shop/pods/web',
    'GET /apis/apps/v1/namespaces/shop/deployments',
    'GET /api/v1/namespaces/shop/pods/web/log',
    'GET /version',
    'GET /api',
    'GET /apis',
    'POST /apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
  ]);
});

const request = (method: WireRequest['method'], path: string): WireRequest => ({
  method,
  path,
  subject: { verb: 'get', resource: 'pods' },
  accept: '*/*',
});

test.each([
  ['GET', '/api/v1/namespaces/shop/pods/web/exec?command=sh'],
  ['GET', '/api/v1/namespaces/shop/pods/web/attach'],
  ['GET', '/api/v1/namespaces/shop/pods/web/portforward'],
  ['GET', '/api/v1/namespaces/shop/pods/web/proxy/admin'],
  ['GET', '/api/v1/namespaces/shop/services/web/proxy'],
  ['GET', '/api/v1/nodes/node-1/proxy/run'],
  ['GET', '/api/v1/watch/secrets'],
  ['GET', '/api/v1/watch/namespaces/shop/secrets'],
  ['GET', '/api/v1/proxy/namespaces/shop/pods/web'],
  ['GET', '/api/v1/secrets'],
  ['GET', '/api/v1/namespaces/shop/%73ecrets/web'],
  ['GET', '/api/v1/namespaces/shop/pods/../secrets/web'],
  ['GET', '/api/v1/namespaces/shop%2Fsecrets/x'],
  ['GET', '/api/v1//namespaces/shop/secrets'],
  ['GET', '/api/v1/namespaces/shop/%E0%A4%A'],
  ['GET', '/logs/kube-apiserver.log'],
  ['GET', '/metrics'],
  ['GET', '/'],
  ['POST', '/api/v1/namespaces/shop/pods/web/eviction'],
  ['POST', '/api/v1/namespaces/shop/serviceaccounts/default/token'],
  ['POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews'],
  ['POST', '/apis/authorization.k8s.io/v1/subjectaccessreviews'],
  ['POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews?dryRun=All'],
  ['PUT', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'],
  ['DELETE', '/api/v1/namespaces/shop/pods/web'],
] as const)('%s %s is refused', (method, path) =>
  expect(() => checkReadOnly(request(method, path))).toThrow(
    expect.objectContaining({ kind: 'bad-request' }),
  ),
);

test.each([
  ['GET', '/api/v1/namespaces/secrets/pods/configmaps/log?container=app'],
  ['GET', '/api/v1/namespaces/secrets'],
  ['GET', '/apis/apps/v1/namespaces/shop/deployments/web/scale'],
  ['GET', '/apis/events.k8s.io/v1/events?watch=true'],
  ['GET', '/apis/apps/v1'],
  ['POST', '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews'],
] as const)('%s %s is sent', (method, path) =>
  expect(() => checkReadOnly(request(method, path))).not.toThrow(),
);
