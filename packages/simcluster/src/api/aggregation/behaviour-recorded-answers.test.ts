import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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
import { type SentRequest, sendRequest } from '../../../test/support/send-request.ts';
import type { SimCluster } from '../../start.ts';

/** What a real API server passed to an extension and back, and what it answered itself. */
let extension: ExtensionServer;
let cluster: SimCluster;
beforeAll(async () => {
  extension = await startExtensionServer(answering(aggregationRecording('group-version')));
  ({ cluster } = await startAggregated(extension));
});
afterAll(async () => {
  await cluster.close();
  await extension.kill();
});

async function replay(name: string, more: Partial<SentRequest> = {}) {
  const recorded = aggregationRecording(name);
  const { request, notes } = recorded;
  const before = extension.seenOfClients.length;
  const user = notes.user === 'anonymous' ? undefined : notes.user;
  const { method, path, headers } = request;
  const sent = { method, path, headers, body: request.body, http2: notes.httpVersion === '2', ...more };
  const response = await sendRequest(cluster, user, sent);
  const { body } = await response.ended;
  return {
    seen: extension.seenOfClients.slice(before),
    answer: {
      status: response.status,
      headers: steadyHeaders(response.headers),
      body: body.toString('latin1'),
    },
    recorded: {
      status: recorded.response.status,
      headers: steadyHeaders(recorded.response.headers),
      body: bodyOf(recorded).toString('latin1'),
    },
  };
}

describe('an answer of the extension passes as it is', () => {
  test.each([
    'group-version',
    'group-nobody',
    'get',
    'get-gzip',
    'list',
    'list-all',
    'list-table',
    'not-found',
    'head',
    'options',
    'range-first',
    'range-beyond',
    'range-suffix',
    'range-multi',
    'if-modified-since',
    'content-type-json',
    'query-kept',
    ...[400, 401, 403, 404, 409, 410, 429, 500, 503, 504].map((status) => `status-${status}`),
  ])('%s', async (name) => {
    extension.handle = answering(aggregationRecording(name));
    const { answer, recorded, seen } = await replay(name);
    expect(answer).toEqual(recorded);
    expect(seen).toHaveLength(1);
  });
});

describe('the API server answers itself, without asking the extension', () => {
  test.each(['group', 'group-anonymous', 'list-nobody', 'post-log-only', 'head-nobody'])(
    '%s',
    async (name) => {
      const { answer, recorded, seen } = await replay(name);
      expect({ ...answer, body: sorted(answer.body) }).toEqual({ ...recorded, body: sorted(recorded.body) });
      expect(seen).toEqual([]);
    },
  );

  test('a method that RBAC has no verb for', async () => {
    extension.handle = answering(aggregationRecording('options'));
    const { answer, seen } = await replay('options');
    expect([answer.status, seen.length]).toEqual([200, 1]);
    const path = aggregationRecording('options').request.path;
    const refused = await sendRequest(cluster, 'nobody', { method: 'OPTIONS', path });
    expect(refused.status).toBe(403);
    expect(extension.seenOfClients.at(-1)?.headers['x-remote-user']).toBe('admin');
  });
});

/** The order of a Status's details is of no meaning. */
function sorted(json: string): unknown {
  return json === '' ? '' : JSON.parse(json);
}

test('a body of a million bytes arrives whole', async () => {
  let length = 0;
  extension.handle = (request, response) => {
    request
      .on('data', (chunk: Buffer) => {
        length += chunk.length;
      })
      .once('end', () => {
        response.setHeader('content-type', 'application/json');
        response.setHeader(
          'x-replica',
          aggregationRecording('post-body').response.headers['X-Replica'] ?? '',
        );
        response.setHeader('content-length', 36);
        response.end(`{"got":${length},"type":"${request.headers['content-type']}"}\n`);
      });
  };
  const { answer, recorded } = await replay('post-body', { body: 'x'.repeat(1_000_000) });
  expect(answer).toEqual(recorded);
  const large = await sendRequest(cluster, 'admin', {
    method: 'POST',
    path: aggregationRecording('post-body').request.path,
    body: 'x'.repeat(9_000_000),
  });
  expect(large.status).toBe(200);
  expect(length).toBe(10_000_000);
});

test('the query arrives with its keys in order, and the path as it was', async () => {
  extension.handle = answering(aggregationRecording('query-kept'));
  const { seen } = await replay('query-kept');
  expect(seen[0]?.path).toBe(
    '/apis/logtool.dev/v1alpha1/namespaces/truth/pods/web-1%2Fx/log?a=b+c&a=d&range=1&%C3%A9=%2B',
  );
});

describe('the group in discovery', () => {
  const itemOf = (list: string, key: 'groups' | 'items') => JSON.parse(list)[key].at(-1);

  test('of /apis is the last one', async () => {
    const { answer, recorded } = await replay('apis');
    expect(itemOf(answer.body, 'groups')).toEqual(itemOf(recorded.body, 'groups'));
  });

  test('of aggregated discovery has what the extension lists', async () => {
    const { answer, recorded } = await replay('apis-aggregated');
    expect(answer.headers['content-type']).toBe(recorded.headers['content-type']);
    expect(JSON.stringify(itemOf(answer.body, 'items'))).toBe(JSON.stringify(itemOf(recorded.body, 'items')));
    expect(
      extension.seen
        .map(({ path }) => path)
        .slice(0, 7)
        .sort(),
    ).toEqual(['/apis', ...Array.from({ length: 6 }, () => '/apis/logtool.dev/v1alpha1')]);
  });

  test('is absent before its APIService', async () => {
    const name = 'v1alpha1.logtool.dev';
    const resource = 'apiservices.apiregistration.k8s.io';
    const removed = cluster.store.remove(resource, undefined, name);
    const { answer, recorded } = await replay('before-group');
    expect(answer).toEqual(recorded);
    cluster.store.create(resource, removed);
  });
});
