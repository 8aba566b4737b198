import { Readable } from 'node:stream';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { expect, test } from 'vitest';
import { createStore } from '../../store/memory-store.ts';
import type { ApiRequest } from '../http/request.ts';
import { discoveryReply } from './discovery.ts';

const AGGREGATED = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';

function request(path: string, headers: Record<string, string>): ApiRequest {
  return {
    method: 'GET',
    path,
    query: new URLSearchParams(),
    headers,
    user: { name: 'dev', groups: [] },
    signal: new AbortController().signal,
    body: async () => Buffer.alloc(0),
    chunks: () => Readable.from([]),
  };
}

test('aggregated discovery that has not changed is 304 without a body', async () => {
  const store = createStore({ clock: systemClock });
  const first = await discoveryReply(store, request('/apis', { accept: AGGREGATED }));
  const etag = first?.headers.etag ?? '';
  expect(etag).toMatch(/^"[0-9A-F]{128}"$/);
  const second = await discoveryReply(store, request('/apis', { accept: AGGREGATED, 'if-none-match': etag }));
  expect([second?.status, second?.body]).toEqual([304, undefined]);
});

test('serves resources of a CustomResourceDefinition as soon as it exists', async () => {
  const store = createStore({ clock: systemClock });
  const legacy = () => discoveryReply(store, request('/apis/argoproj.io/v1alpha1', {}));
  expect(await legacy()).toBeUndefined();
  store.create('customresourcedefinitions.apiextensions.k8s.io', {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'rollouts.argoproj.io' },
    spec: {
      group: 'argoproj.io',
      scope: 'Namespaced',
      names: { plural: 'rollouts', singular: 'rollout', kind: 'Rollout', shortNames: ['ro'] },
      versions: [{ name: 'v1alpha1', served: true, subresources: { status: {}, scale: {} } }],
    },
  });
  const reply = await legacy();
  const body = JSON.parse(String(reply?.body)) as { resources: { name: string }[] };
  expect(body.resources.map(({ name }) => name)).toEqual(['rollouts', 'rollouts/scale', 'rollouts/status']);
});
