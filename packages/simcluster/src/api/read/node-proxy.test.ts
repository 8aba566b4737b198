import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ask } from '../../../test/support/ask.ts';
import { type SimCluster, startSimCluster } from '../../start.ts';

const RECORDED = join(import.meta.dirname, '../../../../../test/recorded/nodes');
const RULES = { resources: ['nodes/proxy'], apiGroups: [''] };

let cluster: SimCluster;
beforeAll(async () => {
  cluster = await startSimCluster({
    scenario: {
      startDelays: 'none',
      nodes: [{ name: 'node-1' }, { name: 'closed', enableSystemLogHandler: false, unschedulable: true }],
      users: [
        { name: 'reads', rules: [{ ...RULES, verbs: ['get'] }] },
        { name: 'creates', rules: [{ ...RULES, verbs: ['create'] }] },
        { name: 'nobody', rules: [] },
      ],
      workloads: [{ kind: 'Pod', name: 'web', containers: [{ name: 'app', lines: ['ready', 'GET / 200'] }] }],
    },
  });
  await (await ask(cluster, 'admin', '/api/v1/namespaces/default/pods/web/log?follow=true')).holds(
    'GET / 200',
  );
});
afterAll(() => cluster.close());

const asked = async (path: string, user = 'reads') => {
  const { status, body } = await ask(cluster, user, `/api/v1/nodes/${path}`);
  return { status, text: (await body).text };
};
const linksOf = (page: string) => [...page.matchAll(/<a href="([^"]+)">/g)].map(([, href]) => href ?? '');

test('the files of a container are found from directory to directory, and are those on the disk', async () => {
  const [pod = ''] = linksOf((await asked('node-1/proxy/logs/pods/')).text);
  expect(pod).toMatch(/^default_web_[0-9a-f-]{36}\/$/);
  expect(linksOf((await asked(`node-1/proxy/logs/pods/${pod}`)).text)).toEqual(['app/']);
  expect(linksOf((await asked(`node-1/proxy/logs/pods/${pod}app/`)).text)).toEqual(['0.log']);
  const file = join(cluster.logDirectory, 'node-1', pod, 'app/0.log');
  const { status, text } = await asked(`node-1/proxy/logs/pods/${pod}app/0.log`);
  expect([status, text]).toEqual([200, await readFile(file, 'utf8')]);
  expect(text).toMatch(/^\S+ stdout F ready\n\S+ stdout F GET \/ 200\n$/);
});

test('the folder of pods is one of the node, with or without its port', async () => {
  for (const node of ['node-1', 'node-1:10250', 'https:node-1:10250'])
    expect(linksOf((await asked(`${node}/proxy/logs/`)).text)).toEqual(['pods/']);
});

test.each([
  ['reads', 200],
  ['creates', 403],
  ['nobody', 403],
])('%s: a GET needs the verb get of nodes/proxy (%i)', async (user, status) => {
  const answer = await asked('node-1/proxy/logs/', user);
  expect(answer.status).toBe(status);
  if (status === 403) expect(answer.text).toContain(`cannot get resource \\"nodes/proxy\\"`);
});

test.each([
  ['node-2/proxy/logs/', 404, 'nodes \\"node-2\\" not found'],
  ['http:node-1:10299/proxy/logs/', 503, 'error trying to reach service: dial tcp'],
  ['node-1/proxy/', 404, '404 page not found'],
  ['node-1/proxy/logs/pods/..%2f..%2fetc%2fpasswd', 404, '404 page not found'],
  ['node-1/proxy/logs/journal/', 404, '404 page not found'],
  ['node-1/proxy/logs', 307, '/logs/'],
])('%s is answered with %i', async (path, status, text) => {
  const answer = await asked(path);
  expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(text)]);
});

test('after a rotation the files are a plain one and the newest, and sizes are those of both, in whole blocks', async () => {
  await cluster.act({ action: 'rotate', pod: 'web' });
  const where = { namespace: 'default', pod: 'web', container: 'app' };
  await cluster.writeLog(where, { bytes: Buffer.from('after') });
  const [pod = ''] = linksOf((await asked('node-1/proxy/logs/pods/')).text);
  const files = linksOf((await asked(`node-1/proxy/logs/pods/${pod}app/`)).text);
  expect(files).toEqual(['0.log', expect.stringMatching(/^0\.log\.\d{8}-\d{6}$/)]);
  expect((await asked(`node-1/proxy/logs/pods/${pod}app/0.log`)).text).toMatch(/^\S+ stdout F after\n$/);
  const stats = JSON.parse((await asked('node-1/proxy/stats/summary')).text);
  expect(stats).toEqual({
    node: { nodeName: 'node-1' },
    pods: [
      {
        podRef: { name: 'web', namespace: 'default', uid: pod.slice('default_web_'.length, -1) },
        containers: [
          { name: 'app', logs: { time: expect.stringMatching(/Z$/), usedBytes: 2 * 4096, inodesUsed: 2 } },
        ],
      },
    ],
  });
  const short = JSON.parse((await asked('node-1/proxy/stats/summary?only_cpu_and_memory=true')).text);
  expect(short.pods[0].containers).toEqual([{ name: 'app' }]);
});

test('a kubelet that is down is reported as the API server does', async () => {
  await cluster.act({ action: 'kubelet-down', node: 'node-1' });
  const { status, text } = await asked('node-1/proxy/logs/');
  expect([status, text]).toEqual([
    503,
    expect.stringMatching(/dial tcp \S+:10250: connect: connection refused/),
  ]);
});

test.each(['disabled-root', 'disabled-file'])(
  'a kubelet without its log handler refuses: %s',
  async (name) => {
    const recorded = JSON.parse(await readFile(join(RECORDED, `${name}.json`), 'utf8'));
    const answer = await asked(recorded.request.path.replace('/api/v1/nodes/node1/', 'closed/'));
    expect(answer).toEqual({ status: recorded.response.status, text: recorded.response.body });
    expect((await asked('closed/proxy/stats/summary')).status).toBe(200);
  },
);
