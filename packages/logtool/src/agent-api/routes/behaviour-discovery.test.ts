import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AggregatedLogs } from '../../../../../test/support/agent-api/aggregated-logs.ts';
import { answerRequest } from './answer-request.ts';
import { answerDocument } from './documents.ts';

const V2 = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const BASE = '/apis/logtool.dev/v1alpha1';

/** What it would need to ask somebody: discovery must not. */
const nobody = new Proxy({} as Parameters<typeof answerRequest>[1], {
  get: (_, name) => {
    throw new Error(`asked for ${String(name)}`);
  },
});
const stranger = { leaf: undefined, rawHeaders: [], accept: undefined };

test.each([
  '/healthz',
  '/livez',
  '/readyz',
  '/apis',
  '/apis/logtool.dev',
  BASE,
  '/openapi/v3',
  `/openapi/v3${BASE}`,
  `/openapi/v3${BASE}?hash=AB`,
])('%s is answered without the API server, an agent or a certificate, and only read', async (url) => {
  const { signal } = new AbortController();
  const ask = (method: string) => answerRequest({ ...stranger, url, method }, nobody, signal);
  expect(await ask('GET')).toHaveProperty('document');
  expect(await ask('HEAD')).toHaveProperty('document');
  expect(await ask('POST')).toMatchObject({ status: { code: 405 } });
});

test.each([
  [V2, 'v2'],
  [`${V2.replace('v2', 'v2beta1')},application/json`, 'v2beta1'],
  [`application/json;g=apidiscovery.k8s.io;v=v3;as=APIGroupDiscoveryList,${V2}`, 'v2'],
  [V2.replaceAll(';', '; '), 'v2'],
])('the discovery for %s is aggregated', (accept, version) => {
  expect(answerDocument('/apis', accept)).toMatchObject({
    type: `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`,
    json: { apiVersion: `apidiscovery.k8s.io/${version}`, items: [{ metadata: { name: 'logtool.dev' } }] },
  });
});

test.each([undefined, 'application/json', '*/*', 'application/json;v=v2;as=Table'])(
  'the discovery for %s is the old one',
  (accept) => {
    expect(answerDocument('/apis', accept)).toEqual({
      json: expect.objectContaining({ kind: 'APIGroupList' }),
    });
  },
);

test('both kinds of discovery name the same', () => {
  const old = answerDocument(BASE, undefined) as { json: { resources: { name: string; verbs: string[] }[] } };
  const { json } = answerDocument('/apis', V2) as {
    json: {
      items: {
        versions: {
          resources: {
            resource: string;
            verbs: string[];
            subresources?: { subresource: string; verbs: string[] }[];
          }[];
        }[];
      }[];
    };
  };
  const aggregated = json.items[0]!.versions[0]!.resources.flatMap(
    ({ resource, verbs, subresources = [] }) => [
      { name: resource, verbs },
      ...subresources.map((each) => ({ name: `${resource}/${each.subresource}`, verbs: each.verbs })),
    ],
  );
  expect(aggregated).toEqual(old.json.resources.map(({ name, verbs }) => ({ name, verbs })));
});

test('the index of OpenAPI names the document, by a hash of it', () => {
  const { json } = answerDocument('/openapi/v3', undefined) as { json: { paths: object } };
  expect(json.paths).toEqual({
    'apis/logtool.dev/v1alpha1': {
      serverRelativeURL: expect.stringMatching(
        /^\/openapi\/v3\/apis\/logtool\.dev\/v1alpha1\?hash=[0-9A-F]{64}$/,
      ),
    },
  });
});

describe('the API server', () => {
  let logs: AggregatedLogs;
  beforeAll(async () => {
    logs = await AggregatedLogs.start({ nodes: ['node-1'], workloads: [] });
  });
  afterAll(() => logs.close());

  test('shows the group to kubectl, and pods are those of core', async () => {
    const printed = async (...args: string[]) => (await logs.kubectl(args)).stdout.toString();
    expect(await printed('api-versions')).toMatch(/^logtool\.dev\/v1alpha1$/m);
    expect(await printed('get', '--raw', BASE)).toContain('"name":"pods/log"');
    expect(await printed('get', 'pods', '-n', 'logtool', '-o', 'name')).toBe('pod/agent-node-1\n');
  });

  test('deletes a namespace although no agent answers', async () => {
    logs.cluster.store.create('namespaces', {
      apiVersion: 'v1',
      kind: 'Namespace',
      metadata: { name: 'brief' },
    });
    await logs.killAgent('node-1');
    expect(await logs.kubectl(['delete', 'namespace', 'brief', '--timeout=60s'])).toMatchObject({
      exitCode: 0,
    });
  });
});
