import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type ExtensionServer,
  startAggregated,
  startExtensionServer,
} from '../../../test/support/extension-server.ts';
import {
  aggregationRecording,
  answering,
  bodyOf,
  steadyHeaders,
} from '../../../test/support/recorded-aggregation.ts';
import { sendRequest } from '../../../test/support/send-request.ts';
import type { SimCluster } from '../../start.ts';

/** Services asked through the API server, which tells them nothing of the user. */
let extension: ExtensionServer;
let plain: Server;
let cluster: SimCluster;
beforeAll(async () => {
  extension = await startExtensionServer(answering(aggregationRecording('group-version')));
  ({ cluster } = await startAggregated(extension));
  plain = createServer((request, response) => response.end(`${request.method} ${request.url}`));
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await cluster.close();
  await extension.kill();
  plain.close();
});

const SERVICE = '/api/v1/namespaces/truth/services';

test('a server sees the client, but neither its user nor a certificate', async () => {
  const recorded = aggregationRecording('service-proxy');
  extension.handle = answering(recorded);
  const response = await sendRequest(cluster, 'admin', recorded.request);
  expect({
    status: response.status,
    headers: steadyHeaders(response.headers),
    body: (await response.ended).body.toString(),
  }).toEqual({
    status: recorded.response.status,
    headers: steadyHeaders(recorded.response.headers),
    body: bodyOf(recorded).toString(),
  });
  const seen = extension.seenOfClients.at(-1);
  const wanted = recorded.asSeenByTheExtension;
  const own = Object.entries(steadyHeaders(seen?.headers ?? {})).filter(([name]) => !name.startsWith(':'));
  expect(Object.fromEntries(own)).toEqual(steadyHeaders(wanted?.headers ?? {}));
  expect([seen?.certificate, seen?.path, `HTTP/${seen?.httpVersion}`]).toEqual([
    undefined,
    wanted?.uri,
    wanted?.proto,
  ]);
  expect(seen?.headers[':authority']).toBe(cluster.server.replace('https://', ''));
});

test('it needs the right to services/proxy', async () => {
  const recorded = aggregationRecording('service-proxy-nobody');
  const before = extension.seenOfClients.length;
  const { status, ended } = await sendRequest(cluster, 'nobody', recorded.request);
  expect([status, JSON.parse((await ended).body.toString())]).toEqual([
    403,
    JSON.parse(bodyOf(recorded).toString()),
  ]);
  expect(extension.seenOfClients).toHaveLength(before);
});

test('a server without TLS, by the name of its port or without one', async () => {
  const { port } = plain.address() as AddressInfo;
  const metadata = { name: 'plain', namespace: 'truth' };
  cluster.store.create('services', {
    apiVersion: 'v1',
    kind: 'Service',
    metadata,
    spec: { ports: [{ name: 'web', port: 80 }] },
  });
  cluster.store.create('endpointslices.discovery.k8s.io', {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { ...metadata, labels: { 'kubernetes.io/service-name': 'plain' } },
    endpoints: [{ addresses: ['127.0.0.1'] }],
    ports: [{ name: 'web', port }],
  });
  for (const id of ['plain', 'plain:web', 'plain:80', 'http:plain:web']) {
    const { ended } = await sendRequest(cluster, 'admin', { path: `${SERVICE}/${id}/proxy/a/b?c=d` });
    expect((await ended).body.toString()).toBe('GET /a/b?c=d');
  }
  const { status, headers } = await sendRequest(cluster, 'admin', { path: `${SERVICE}/plain/proxy` });
  expect([status, headers.location]).toEqual([301, `${SERVICE}/plain/proxy/`]);
});

test.each([
  ['nothing', 404, 'services "nothing" not found'],
  ['https:logtool-api:444', 503, 'no endpoints available for service "https:logtool-api:444"'],
])('%s', async (id, status, message) => {
  const response = await sendRequest(cluster, 'admin', { path: `${SERVICE}/${id}/proxy/` });
  expect([response.status, JSON.parse((await response.ended).body.toString()).message]).toEqual([
    status,
    message,
  ]);
});
