import { expect, test } from 'vitest';
import { loadRecording, replay } from '../../../../test/support/tls-server/recorded.ts';
import { type Handler, sendJson, sendStatus } from '../../../../test/support/tls-server/scripted-server.ts';
import { passTime, startClient } from '../../../../test/support/tls-server/start-client.ts';
import { BUILTIN_RESOURCES } from '../builtin-resources.ts';
import type { ResourceType } from '../client.ts';

const aggregated: Handler = (request, response) => {
  const name = request.url === '/api' ? 'aggregated-api' : 'aggregated-apis';
  replay(loadRecording(`discovery/${name}`))(request, response);
};

const byName = (types: readonly ResourceType[], group: string, plural: string) =>
  types.find((type) => type.group === group && type.plural === plural);

test('two requests list all resources of a real server', async () => {
  const { client, server } = await startClient(aggregated);
  const types = await client.discover();
  expect(server.requests.toSorted()).toEqual(['GET /api', 'GET /apis']);
  expect(server.headers[0]?.accept).toContain('as=APIGroupDiscoveryList');
  expect(byName(types, 'batch', 'cronjobs')).toMatchObject({
    kind: 'CronJob',
    shortNames: ['cj'],
    namespaced: true,
  });
  expect(byName(types, '', 'nodes')).toMatchObject({ namespaced: false });
});

test('the table of built-in kinds is what a real server says of them', async () => {
  const { client } = await startClient(aggregated);
  const types = await client.discover();
  for (const builtin of BUILTIN_RESOURCES) {
    const real = types.find(
      ({ group, version, plural }) =>
        group === builtin.group && version === builtin.version && plural === builtin.plural,
    );
    expect({ ...real, shortNames: real?.shortNames.slice() }).toEqual({
      ...builtin,
      verbs: [...builtin.verbs],
    });
  }
});

const LEGACY: Readonly<Record<string, string>> = {
  '/api': 'api',
  '/apis': 'apis',
  '/api/v1': 'api-v1',
  '/apis/apps/v1': 'apis-apps-v1',
  '/apis/batch/v1': 'apis-batch-v1',
};

test('an old server is asked group by group, and a group that is down takes only itself away', async () => {
  const { client, clock, server } = await startClient((request, response) => {
    const name = LEGACY[request.url ?? ''];
    if (name !== undefined) replay(loadRecording(`discovery/${name}`))(request, response);
    else sendStatus(response, request.url?.includes('policy') ? 503 : 404);
  });
  const types = await passTime(clock, client.discover());
  for (const builtin of BUILTIN_RESOURCES)
    expect(byName(types, builtin.group, builtin.plural)).toEqual(builtin);
  expect(types.some((type) => type.plural.includes('/'))).toBe(false);
  expect(server.requests).toContain('GET /apis/policy/v1');
});

test('the preferred version of a group comes first', async () => {
  const { client } = await startClient((request, response) => {
    switch (request.url) {
      case '/api':
        return sendJson(response, 200, { kind: 'APIVersions', versions: [] });
      case '/apis': {
        const versions = [{ version: 'v1beta1' }, { version: 'v1' }];
        const groups = [{ name: 'example.com', versions, preferredVersion: { version: 'v1' } }];
        return sendJson(response, 200, { kind: 'APIGroupList', groups });
      }
      default:
        return sendJson(response, 200, { resources: [{ name: 'things', kind: 'Thing', namespaced: true }] });
    }
  });
  expect((await client.discover()).map((type) => type.version)).toEqual(['v1', 'v1beta1']);
});

test('discovery is asked once, and a failure is not kept', async () => {
  const { client, server } = await startClient((_, response) => sendStatus(response, 403, { message: 'no' }));
  await expect(client.discover()).rejects.toMatchObject({ kind: 'forbidden' });
  server.handle(aggregated);
  const [first, second] = await Promise.all([client.discover(), client.discover()]);
  expect(first).toBe(second);
  expect(await client.discover()).toBe(first);
  expect(server.requests.length).toBe(4);
});

test('an abort ends the wait of the one who asked, not of the others', async () => {
  const controller = new AbortController();
  const { client } = await startClient(aggregated);
  const given = client.discover({ signal: controller.signal });
  const kept = client.discover();
  const reason = new Error('enough');
  controller.abort(reason);
  await expect(given).rejects.toBe(reason);
  expect((await kept).length).toBeGreaterThan(30);
});

test('a document of another shape is no crash', async () => {
  const { client } = await startClient((_, response) =>
    sendJson(response, 200, {
      kind: 'APIGroupDiscoveryList',
      items: [null, { metadata: null, versions: [{ version: 'v1', resources: [7, { resource: 'x' }] }] }],
    }),
  );
  expect(await client.discover()).toEqual([]);
});
