import type { AddressInfo } from 'node:net';
import { connect as connectTcp, createServer, type Server, type Socket } from 'node:net';
import type { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type ExtensionServer,
  POD_ADDRESS,
  startAggregated,
  startExtensionServer,
  untilAvailable,
} from '../../../test/support/extension-server.ts';
import { aggregationRecording, answering } from '../../../test/support/recorded-aggregation.ts';
import { sendRequest } from '../../../test/support/send-request.ts';
import type { SimCluster } from '../../start.ts';

const PATH = '/apis/logtool.dev/v1alpha1/namespaces/truth/pods/web-1/log';

/** A network between the API server and an extension, which can lose every packet. */
interface Network {
  readonly server: Server;
  readonly port: number;
  lose(): void;
}

let extension: ExtensionServer;
let network: Network;
let cluster: SimCluster;
let clock: FakeClock;
beforeEach(async () => {
  extension = await startExtensionServer(answering(aggregationRecording('group-version')));
  network = await startNetwork(extension.port);
  ({ cluster, clock } = await startAggregated({ ...extension, port: network.port }));
});
afterEach(async () => {
  await cluster.close();
  await extension.kill();
  network.server.close();
});

async function startNetwork(port: number): Promise<Network> {
  let lost = false;
  const forward = (from: Socket, to: Socket) => {
    from.on('data', (chunk) => void (lost || to.write(chunk)));
    from.on('error', () => undefined).once('close', () => to.destroy());
  };
  const server = createServer((client) => {
    const upstream = connectTcp(port, '127.0.0.1');
    forward(client, upstream);
    forward(upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const lose = () => {
    lost = true;
  };
  return { server, port: (server.address() as AddressInfo).port, lose };
}

test('a server that falls silent holds its requests for 45 s', async () => {
  extension.handle = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.write('line\n');
  };
  const stream = await sendRequest(cluster, 'admin', { path: PATH, http2: true });
  await stream.holds(5);
  network.lose();
  const seen = extension.seenOfClients.length;
  const waiting = sendRequest(cluster, 'admin', { path: PATH });
  let over = false;
  void waiting.then(() => {
    over = true;
  });
  // The request is on its way when a later one has passed through the API server.
  await (await sendRequest(cluster, 'admin', { path: '/version' })).ended;
  await clock.advance(44_999);
  await (await sendRequest(cluster, 'admin', { path: '/version' })).ended;
  expect([over, extension.seenOfClients.length]).toEqual([false, seen]);
  await clock.advance(1);
  const { status, ended } = await waiting;
  expect([status, (await ended).body.toString()]).toEqual([
    503,
    'error trying to reach service: http2: client connection lost\n',
  ]);
  expect(await stream.ended).toMatchObject({ cut: true, code: 2 });
});

test('a server that answers keeps its streams over any leap of the clock', async () => {
  let write = (_text: string) => {};
  extension.handle = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    write = (text) => void response.write(text);
    write('line\n');
  };
  const stream = await sendRequest(cluster, 'admin', { path: PATH });
  await stream.holds(5);
  for (const leaps of [1, 2, 3]) {
    await clock.advance(300_000);
    write('line\n');
    await stream.holds(5 * (leaps + 1));
  }
  stream.leave();
});

test('the API server cuts its streams when it is killed, and asks the same server after its restart', async () => {
  const left = new Promise<void>((resolve) => {
    extension.handle = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write('line\n');
      response.once('close', resolve);
    };
  });
  const stream = await sendRequest(cluster, 'admin', { path: PATH });
  await stream.holds(5);
  await cluster.control.restartServer();
  await left;
  expect((await stream.ended).cut).toBe(true);
  extension.handle = answering(aggregationRecording('list'));
  const list = '/apis/logtool.dev/v1alpha1/namespaces/truth/containerlogs';
  expect((await sendRequest(cluster, 'admin', { path: list })).status).toBe(200);
});

test('the pods of a Deployment are endpoints, with a server of the test at the address of each', async () => {
  cluster.store.update('services', 'truth', 'logtool-api', (service) => {
    service.spec = { ...service.spec, selector: { app: 'logtool-api' } };
    return undefined;
  });
  const manifest = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'logtool-api', namespace: 'truth' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'logtool-api' } },
      template: {
        metadata: { labels: { app: 'logtool-api' } },
        spec: { containers: [{ name: 'api', image: 'logtool', ports: [{ containerPort: 8443 }] }] },
      },
    },
  };
  cluster.store.remove('endpointslices.discovery.k8s.io', 'truth', 'logtool-api');
  const path = '/apis/apps/v1/namespaces/truth/deployments';
  await sendRequest(cluster, 'admin', { method: 'POST', path, body: JSON.stringify(manifest) });
  await clock.advance(10_000);
  await untilAvailable(cluster, 'FailedDiscoveryCheck');
  const pods = cluster.store.list('pods', 'truth');
  const addresses = pods.map(({ status }) => String(status?.podIP));
  expect(addresses.map((address) => address.split('.').slice(0, 2).join('.'))).toEqual(['10.244', '10.244']);
  for (const address of addresses)
    await cluster.control.routeAddress({ address, port: POD_ADDRESS.port, localPort: extension.port });
  await untilAvailable(cluster, 'Passed');
  const list = '/apis/logtool.dev/v1alpha1/namespaces/truth/containerlogs';
  const before = extension.seenOfClients.length;
  for (const _ of addresses) expect((await sendRequest(cluster, 'admin', { path: list })).status).toBe(200);
  const hosts = extension.seenOfClients.slice(before).map(({ headers }) => headers['x-forwarded-host']);
  expect(hosts.sort()).toEqual(addresses.map((address) => `${address}:8443`).sort());
});
