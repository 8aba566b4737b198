import { createHash, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  API_SERVICE,
  type ExtensionServer,
  POD_ADDRESS,
  startAggregated,
  startExtensionServer,
  untilAvailable,
  untilFreshness,
} from '../../../test/support/extension-server.ts';
import {
  aggregationRecording,
  answering,
  bodyOf,
  steadyHeaders,
} from '../../../test/support/recorded-aggregation.ts';
import { sendRequest } from '../../../test/support/send-request.ts';
import { createAuthority } from '../../access/tls.ts';
import type { SimCluster } from '../../start.ts';
import type { StoredObject } from '../../store/store.ts';

const SERVICES = 'apiservices.apiregistration.k8s.io';
const NAMESPACE = '/apis/logtool.dev/v1alpha1/namespaces/truth';
const SLICES = 'endpointslices.discovery.k8s.io';
const FOLDER = join(import.meta.dirname, '../../../../../test/recorded/aggregation');

let extension: ExtensionServer;
let cluster: SimCluster;
let clock: FakeClock;
beforeEach(async () => {
  extension = await startExtensionServer(answering(aggregationRecording('group-version')));
  ({ cluster, clock } = await startAggregated(extension));
});
afterEach(async () => {
  await cluster.close();
  await extension.kill();
});

function changeSpec(change: Readonly<Record<string, unknown>>): void {
  cluster.store.update(SERVICES, undefined, API_SERVICE, (object) => {
    object.spec = { ...object.spec, ...change };
    return undefined;
  });
}

function setEndpoints(addresses: readonly string[]): void {
  cluster.store.update(SLICES, 'truth', 'logtool-api', (slice) => {
    slice.endpoints = addresses.map((address) => ({ addresses: [address], conditions: { ready: true } }));
    return undefined;
  });
}

function available(): Readonly<Record<string, unknown>> {
  const conditions = cluster.store.get(SERVICES, undefined, API_SERVICE)?.status?.conditions ?? [];
  return (conditions as readonly Readonly<Record<string, unknown>>[])[0] ?? {};
}

async function replay(name: string) {
  const recorded = aggregationRecording(name);
  const { request, notes } = recorded;
  const response = await sendRequest(cluster, notes.user, { ...request, http2: notes.httpVersion === '2' });
  const body = (await response.ended).body.toString();
  const of = (status: number, headers: Parameters<typeof steadyHeaders>[0], text: string) => ({
    status,
    headers: steadyHeaders(headers),
    body: text,
  });
  return {
    answer: of(response.status, response.headers, body),
    recorded: of(recorded.response.status, recorded.response.headers, bodyOf(recorded).toString()),
  };
}

describe('the condition Available', () => {
  interface Case {
    readonly what: string;
    readonly steps?: readonly {
      readonly status: string;
      readonly reason: string;
      readonly message: string;
    }[];
  }
  const { cases } = JSON.parse(readFileSync(join(FOLDER, 'availability.json'), 'utf8')) as { cases: Case[] };
  const recordedLast = (what: string) => {
    const { status, reason, message } = cases.find((one) => one.what === what)?.steps?.at(-1) ?? {};
    return { type: 'Available', status, reason, message };
  };
  const RIGHT = { namespace: 'truth', name: 'logtool-api', port: 443 };
  const changes: Readonly<Record<string, () => void>> = {
    'service does not exist': () => changeSpec({ service: { ...RIGHT, name: 'nothing' } }),
    'service right again': () => changeSpec({ service: RIGHT }),
    'port that the service has not': () => changeSpec({ service: { ...RIGHT, port: 444 } }),
    'port right again': () => changeSpec({ service: RIGHT }),
    'both replicas frozen (SIGSTOP-like: packets dropped)': () => setEndpoints([]),
    'reachable again': () => setEndpoints([POD_ADDRESS.address]),
  };

  test('has the recorded reasons and messages', async () => {
    for (const [what, change] of Object.entries(changes)) {
      change();
      const recorded = recordedLast(what);
      await untilAvailable(cluster, recorded.reason ?? '');
      const { lastTransitionTime, ...condition } = available();
      expect(condition, what).toEqual(recorded);
      expect(lastTransitionTime).toBe('2026-11-22T13:42:32Z');
    }
  });

  test('keeps its time while only the reason changes', async () => {
    await clock.advance(5000);
    setEndpoints([]);
    await untilAvailable(cluster, 'MissingEndpoints');
    await clock.advance(5000);
    changeSpec({ service: { ...RIGHT, name: 'nothing' } });
    await untilAvailable(cluster, 'ServiceNotFound');
    expect(available().lastTransitionTime).toBe('2026-11-22T13:42:37Z');
  });

  test('is written by the API server, as the recorded object has it', () => {
    const recorded = JSON.parse(bodyOf(aggregationRecording('apiservice')).toString()) as StoredObject;
    const own = cluster.store.get(SERVICES, undefined, API_SERVICE);
    expect(own?.status).toEqual(recorded.status);
    expect({ ...own?.spec, caBundle: '' }).toEqual({ ...recorded.spec, caBundle: '' });
  });

  test('reports why discovery fails, and passes again at the next check', async () => {
    const url = 'https://10.244.0.31:8443/apis/logtool.dev/v1alpha1';
    const { handleOwn } = extension;
    extension.handleOwn = (_request, response) => {
      response.statusCode = 500;
      response.end();
    };
    await clock.advance(30_000);
    await untilAvailable(cluster, 'FailedDiscoveryCheck');
    expect(available().message).toBe(`failing or missing response from ${url}: bad status from ${url}: 500`);
    extension.handleOwn = handleOwn;
    await clock.advance(30_000);
    await untilAvailable(cluster, 'Passed');
    await extension.kill();
    setEndpoints(['10.244.0.33']);
    await untilAvailable(cluster, 'FailedDiscoveryCheck');
    const other = url.replace('.31', '.33');
    expect(available().message).toBe(
      `failing or missing response from ${other}: Get "${other}": dial tcp 10.244.0.33:8443: connect: connection refused`,
    );
  });

  test('is asked for five times at once, twice a minute', async () => {
    const asked = () => extension.seen.filter(({ path }) => path === '/apis/logtool.dev/v1alpha1').length;
    const before = asked();
    // Five checks, and one request for the resources.
    for (const checks of [1, 2]) {
      await clock.advance(30_000);
      while (asked() < before + 6 * checks) await replay('group');
      expect(asked()).toBe(before + 6 * checks);
    }
    const own = extension.seen.at(-1);
    expect(own?.headers).toMatchObject({
      'x-remote-user': 'system:kube-aggregator',
      'x-remote-group': 'system:masters',
      'user-agent': 'Go-http-client/2.0',
    });
  });
});

describe('while no server is there', () => {
  beforeEach(async () => {
    setEndpoints([]);
    await untilAvailable(cluster, 'MissingEndpoints');
  });

  test.each(['list', 'log', 'group-version', 'group'])('%s is answered as recorded', async (name) => {
    const { answer, recorded } = await replay(`down/${name}`);
    expect(answer).toEqual(recorded);
  });

  test('rights come first', async () => {
    const { answer, recorded } = await replay('down/list-nobody');
    expect(JSON.parse(answer.body)).toEqual(JSON.parse(recorded.body));
  });

  test('discovery lists the group, without its resources', async () => {
    const stale = await untilFreshness(cluster, 'Stale');
    const { recorded } = await replay('down/apis-aggregated');
    expect(stale).toEqual(JSON.parse(recorded.body).items.at(-1));
    const { answer, recorded: groups } = await replay('down/apis');
    expect(JSON.parse(answer.body).groups.at(-1)).toEqual(JSON.parse(groups.body).groups.at(-1));
    setEndpoints([POD_ADDRESS.address]);
    const fresh = await untilFreshness(cluster, 'Current');
    expect(fresh).toEqual(JSON.parse((await replay('apis-aggregated')).recorded.body).items.at(-1));
  });

  test('the server itself stays ready', async () => {
    expect((await sendRequest(cluster, 'admin', { path: '/readyz' })).status).toBe(200);
  });
});

test('a wrong caBundle leaves it available, while every request fails', async () => {
  const other = await createAuthority('another');
  changeSpec({ caBundle: Buffer.from(other.certificate).toString('base64') });
  await untilFreshness(cluster, 'Stale');
  expect(available()).toMatchObject({ status: 'True', reason: 'Passed' });
  const { answer, recorded } = await replay('down/wrong-ca-list');
  expect(answer).toEqual(recorded);
  changeSpec({ caBundle: undefined, insecureSkipTLSVerify: true });
  expect((await replay('group-version')).answer.status).toBe(200);
});

describe('when a server dies', () => {
  test('its streams break, and others go to the one that is left', async () => {
    const second = await startExtensionServer(answering(aggregationRecording('group-version')));
    changeSpec({ insecureSkipTLSVerify: true, caBundle: undefined });
    const address = '10.244.0.33';
    await cluster.control.routeAddress({ address, port: 8443, localPort: second.port });
    setEndpoints([POD_ADDRESS.address, address]);
    const hold = (from: ExtensionServer) => {
      from.handle = (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' });
        response.write('line\n');
      };
    };
    hold(extension);
    hold(second);
    const path = `${NAMESPACE}/pods/web-1/log`;
    const streams = [];
    for (const http2 of [false, true, false, true])
      streams.push(await sendRequest(cluster, 'admin', { path, http2 }));
    for (const stream of streams) await stream.holds(5);
    expect([extension.seenOfClients.length, second.seenOfClients.length]).toEqual([2, 2]);
    await second.kill();
    setEndpoints([POD_ADDRESS.address]);
    const cut = await Promise.race([streams[0]?.ended, streams[1]?.ended]);
    expect(cut?.cut).toBe(true);
    extension.handle = answering(aggregationRecording('list'));
    for (let request = 0; request < 20; request++)
      expect((await replay('list')).answer).toEqual((await replay('list')).recorded);
  });

  test('requests fail by name until its endpoint is gone', async () => {
    extension.handle = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.write('line\n');
    };
    const stream = await sendRequest(cluster, 'admin', { path: `${NAMESPACE}/pods/web-1/log` });
    await stream.holds(5);
    await extension.kill();
    expect((await stream.ended).cut).toBe(true);
    const { answer } = await replay('list');
    expect([answer.status, answer.body]).toEqual([
      503,
      'error trying to reach service: dial tcp 10.244.0.31:8443: connect: connection refused\n',
    ]);
  });
});

describe('the deletion of a namespace', () => {
  const gone = () => cluster.store.get('namespaces', undefined, 'truth-gone') === undefined;
  const remove = async () => {
    cluster.store.create('namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'truth-gone', labels: { 'kubernetes.io/metadata.name': 'truth-gone' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
    const metadata = { name: 'inside', namespace: 'truth-gone' };
    cluster.store.create('configmaps', { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    await sendRequest(cluster, 'admin', { method: 'DELETE', path: '/api/v1/namespaces/truth-gone' });
    await clock.advance(70_000);
  };
  const timeless = (conditions: unknown) =>
    (conditions as readonly Readonly<Record<string, unknown>>[]).map(
      ({ lastTransitionTime, ...rest }) => rest,
    );

  test('continues while the server answers', async () => {
    await remove();
    expect(gone()).toBe(true);
  });

  test.each(['no replica', 'wrong caBundle'])('hangs with %s, and ends with the APIService', async (why) => {
    if (why === 'no replica') setEndpoints([]);
    else changeSpec({ caBundle: Buffer.from((await createAuthority('x')).certificate).toString('base64') });
    await untilFreshness(cluster, 'Stale');
    await remove();
    const recorded = JSON.parse(
      bodyOf(aggregationRecording('down/namespace-stuck')).toString(),
    ) as StoredObject;
    const { status } = cluster.store.get('namespaces', undefined, 'truth-gone') ?? {};
    expect(status?.phase).toBe('Terminating');
    expect(timeless(status?.conditions)).toEqual(timeless(recorded.status?.conditions));
    expect(cluster.store.list('configmaps', 'truth-gone')).toEqual([]);
    cluster.store.remove(SERVICES, undefined, API_SERVICE);
    await clock.advance(5000);
    expect(gone()).toBe(true);
  });

  test('ends when the server is back', async () => {
    setEndpoints([]);
    await untilFreshness(cluster, 'Stale');
    await remove();
    expect(gone()).toBe(false);
    setEndpoints([POD_ADDRESS.address]);
    await untilFreshness(cluster, 'Current');
    await clock.advance(5000);
    expect(gone()).toBe(true);
  });
});

describe('what an extension needs to trust the API server', () => {
  const reader = async () => {
    const metadata = { name: 'logtool-api', namespace: 'truth' };
    cluster.store.create('serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
    const RBAC = 'rbac.authorization.k8s.io';
    cluster.store.create(`rolebindings.${RBAC}`, {
      apiVersion: `${RBAC}/v1`,
      kind: 'RoleBinding',
      metadata: { name: 'logtool-api', namespace: 'kube-system' },
      roleRef: { apiGroup: RBAC, kind: 'Role', name: 'extension-apiserver-authentication-reader' },
      subjects: [{ kind: 'ServiceAccount', ...metadata }],
    });
    const { ended } = await sendRequest(cluster, 'admin', {
      method: 'POST',
      path: '/api/v1/namespaces/truth/serviceaccounts/logtool-api/token',
      body: '{"kind":"TokenRequest","apiVersion":"authentication.k8s.io/v1","spec":{}}',
    });
    return JSON.parse((await ended).body.toString()).status.token as string;
  };

  test('is in a ConfigMap that its role reads and watches, and no other', async () => {
    const headers = { authorization: `Bearer ${await reader()}` };
    const answers = async (name: string) => {
      const { request, response } = aggregationRecording(name);
      const got = await sendRequest(cluster, undefined, { path: request.path, headers });
      return { got, recorded: response, status: [got.status, response.status] as const };
    };
    const { got, recorded, status } = await answers('configmap');
    expect(status[0]).toBe(status[1]);
    const own = JSON.parse((await got.ended).body.toString());
    const wanted = JSON.parse(recorded.body ?? '');
    expect(Object.keys(own.data).sort()).toEqual(Object.keys(wanted.data).sort());
    for (const [key, value] of Object.entries(wanted.data as Record<string, string>))
      if (!value.startsWith('-----BEGIN')) expect(own.data[key]).toBe(value);
    const ca = new X509Certificate(own.data['requestheader-client-ca-file']);
    expect([ca.subject, ca.verify(ca.publicKey)]).toEqual(['CN=front-proxy-ca', true]);
    expect(own.data['client-ca-file']).toBe(cluster.caCertificate);
    const watch = await answers('configmap-watch-named');
    await watch.got.holds(10);
    expect(String(watch.got.reads[0])).toMatch(/^\{"type":"ADDED","object":\{"kind":"ConfigMap"/);
    watch.got.leave();
    const list = await answers('configmap-list-forbidden');
    expect(JSON.parse((await list.got.ended).body.toString())).toEqual(JSON.parse(list.recorded.body ?? ''));
  });

  test('is the role of delegated decisions, and the one of the ConfigMap', async () => {
    for (const name of ['configmap-role', 'auth-delegator-role']) {
      const { answer, recorded } = await replay(name);
      const [own, wanted] = [answer, recorded].map(({ body }) => JSON.parse(body) as StoredObject);
      expect(own?.rules).toEqual(wanted?.rules);
      expect(own?.metadata.labels).toEqual(wanted?.metadata.labels);
    }
  });

  test('is signed by an authority of its own', () => {
    const { data } = (cluster.store.get('configmaps', 'kube-system', 'extension-apiserver-authentication') ??
      {}) as { data?: Record<string, string> };
    const hash = (pem: string) => createHash('sha256').update(pem).digest('hex');
    expect(hash(data?.['requestheader-client-ca-file'] ?? '')).not.toBe(hash(cluster.caCertificate));
  });
});
