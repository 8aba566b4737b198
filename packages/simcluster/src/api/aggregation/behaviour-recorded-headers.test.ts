import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ExtensionServer,
  type SeenRequest,
  startAggregated,
  startExtensionServer,
} from '../../../test/support/extension-server.ts';
import {
  aggregationRecording,
  answering,
  steadyHeaders,
} from '../../../test/support/recorded-aggregation.ts';
import { sendRequest } from '../../../test/support/send-request.ts';
import type { SimCluster } from '../../start.ts';

/** Who asks, as a real extension has seen it. */
let extension: ExtensionServer;
let http1: ExtensionServer;
let cluster: SimCluster;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  extension = await startExtensionServer(answering(aggregationRecording('list')));
  http1 = await startExtensionServer(answering(aggregationRecording('list')), { http2: false });
  ({ cluster } = await startAggregated(extension));
  const user = { name: 'two-groups', auth: 'certificate', groups: ['ops', 'dev'] } as const;
  await cluster.control.addUser(user);
  allowEverybody();
  createAccount();
  tokens.sa = await tokenOf({});
  tokens.bound = await tokenOf({ boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: POD } });
});
afterAll(async () => {
  await cluster.close();
  await extension.kill();
  await http1.kill();
});

const POD = 'logtool-api-7d758848c9-655n2';
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const RBAC = 'rbac.authorization.k8s.io';

function allowEverybody(): void {
  const metadata = { name: 'everybody' };
  const rules = [{ apiGroups: ['logtool.dev'], resources: ['*'], verbs: ['*'] }];
  cluster.store.create(`clusterroles.${RBAC}`, {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRole',
    metadata,
    rules,
  });
  cluster.store.create(`clusterrolebindings.${RBAC}`, {
    apiVersion: `${RBAC}/v1`,
    kind: 'ClusterRoleBinding',
    metadata,
    roleRef: { apiGroup: RBAC, kind: 'ClusterRole', name: 'everybody' },
    subjects: [{ kind: 'Group', name: 'system:authenticated' }],
  });
}

function createAccount(): void {
  const metadata = { name: 'logtool-api', namespace: 'truth' };
  cluster.store.create('serviceaccounts', { apiVersion: 'v1', kind: 'ServiceAccount', metadata });
  cluster.store.create('pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: POD, namespace: 'truth' },
    spec: { nodeName: 'node1', containers: [] },
  });
}

async function tokenOf(spec: Readonly<Record<string, unknown>>): Promise<string> {
  const { ended } = await sendRequest(cluster, 'admin', {
    method: 'POST',
    path: '/api/v1/namespaces/truth/serviceaccounts/logtool-api/token',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ kind: 'TokenRequest', apiVersion: 'authentication.k8s.io/v1', spec }),
  });
  return JSON.parse((await ended).body.toString()).status.token;
}

async function sendRecorded(name: string): Promise<SeenRequest | undefined> {
  const { request, notes } = aggregationRecording(name);
  const token = tokens[notes.user];
  const { authorization, ...headers } = request.headers;
  const response = await sendRequest(cluster, notes.user, {
    ...request,
    headers: token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` },
  });
  expect([response.status, authorization === undefined]).toEqual([200, token === undefined]);
  return extension.seenOfClients.at(-1);
}

/** Returns the headers by name, with values that differ between clusters replaced. */
function comparable(headers: Readonly<Record<string, string | readonly string[] | undefined>>) {
  const replaced = (value: unknown) =>
    String(value)
      .replace(UUID, 'UUID')
      .replace(/X509SHA256=[0-9a-f]{64}/, 'X509SHA256')
      .replace(/10\.244\.0\.\d+/, 'POD-ADDRESS');
  return Object.fromEntries(
    Object.entries(steadyHeaders(headers))
      .filter(([name]) => !name.startsWith(':'))
      .map(([name, value]) => [name, replaced([value].flat().join(', '))]),
  );
}

describe('the extension sees the user whom the API server has found', () => {
  test.each([
    'headers-admin',
    'headers-certificate-user',
    'headers-service-account',
    'headers-pod-bound-token',
    'headers-impersonated',
    'headers-odd-user',
    'headers-spoofed',
  ])('%s', async (name) => {
    const seen = await sendRecorded(name);
    const recorded = aggregationRecording(name).asSeenByTheExtension;
    expect(comparable(seen?.headers ?? {})).toEqual(comparable(recorded?.headers ?? {}));
    expect(seen?.certificate).toEqual({ cn: recorded?.cert.cn, issuer: recorded?.cert.issuer });
    expect([seen?.method, `HTTP/${seen?.httpVersion}`, seen?.path]).toEqual([
      recorded?.method,
      recorded?.proto,
      recorded?.uri,
    ]);
    expect(seen?.headers[':authority']).toBe('10.244.0.31:8443');
  });
});

test('a review of a token for an extension names the pod and its node', async () => {
  const audiences = ['logtool-api'];
  const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name: POD };
  const token = await tokenOf({ audiences, boundObjectRef });
  const { ended } = await sendRequest(cluster, 'admin', {
    method: 'POST',
    path: '/apis/authentication.k8s.io/v1/tokenreviews',
    body: JSON.stringify({
      kind: 'TokenReview',
      apiVersion: 'authentication.k8s.io/v1',
      spec: { token, audiences },
    }),
  });
  const recorded = JSON.parse(aggregationRecording('tokenreview-audience-right').response.body ?? '');
  const uuids = (value: unknown) => JSON.stringify(value).replace(UUID, 'UUID');
  expect(uuids(JSON.parse((await ended).body.toString()).status)).toBe(uuids(recorded.response.status));
  const { path } = aggregationRecording('headers-pod-bound-token').request;
  const headers = { authorization: `Bearer ${token}` };
  expect((await sendRequest(cluster, undefined, { path, headers })).status).toBe(401);
});

test('each group is a header of its own', async () => {
  const { rawHeaders = [] } = (await sendRecorded('headers-certificate-user')) ?? {};
  const groups = rawHeaders.filter((_, index) => rawHeaders[index - 1] === 'x-remote-group');
  expect(groups).toEqual(['ops', 'dev', 'system:authenticated']);
});

test('a token of a pod that is gone is refused, and the extension not asked', async () => {
  const before = extension.seenOfClients.length;
  cluster.store.remove('pods', 'truth', POD);
  const { path } = aggregationRecording('headers-pod-bound-token').request;
  const headers = { authorization: `Bearer ${tokens.bound}` };
  expect((await sendRequest(cluster, undefined, { path, headers })).status).toBe(401);
  expect(extension.seenOfClients).toHaveLength(before);
});

test('an extension that knows only HTTP/1.1 is asked so, with the same headers', async () => {
  await cluster.control.routeAddress({ address: '10.244.0.31', port: 8443, localPort: http1.port });
  const slices = 'endpointslices.discovery.k8s.io';
  cluster.store.update(slices, 'truth', 'logtool-api', (slice) => {
    slice.endpoints = [{ addresses: ['127.0.0.1'], conditions: { ready: true } }];
    slice.ports = [{ name: '', port: http1.port }];
    return undefined;
  });
  cluster.store.update('apiservices.apiregistration.k8s.io', undefined, 'v1alpha1.logtool.dev', (service) => {
    service.spec = { ...service.spec, caBundle: Buffer.from(http1.ca).toString('base64') };
    return undefined;
  });
  const { request } = aggregationRecording('headers-spoofed');
  const response = await sendRequest(cluster, undefined, {
    ...request,
    headers: { ...request.headers, authorization: `Bearer ${tokens.sa}` },
  });
  expect(response.status).toBe(200);
  const seen = http1.seenOfClients.at(-1);
  const recorded = aggregationRecording('headers-spoofed').asSeenByTheExtension;
  const { host, 'x-forwarded-host': forwardedHost, ...rest } = comparable(seen?.headers ?? {});
  const { 'x-forwarded-host': _, ...wanted } = comparable(recorded?.headers ?? {});
  expect(rest).toEqual(wanted);
  expect([seen?.httpVersion, host, forwardedHost]).toEqual([
    '1.1',
    `127.0.0.1:${http1.port}`,
    `127.0.0.1:${http1.port}`,
  ]);
});
