import type { KubeClient } from '@logtool/kube/src/client.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appOf, servicesAround } from '../../../../../test/support/server/around-route.ts';
import { Frames } from '../../../../../test/support/server/frames.ts';
import { simClient } from '../../../../../test/support/server/sim-client.ts';
import type { ScanFrame } from '../../contract/log-frame.ts';

let cluster: SimCluster;
let client: KubeClient;

beforeAll(async () => {
  cluster = await startSimCluster({
    scenario: {
      startDelays: 'none',
      nodes: [{ name: 'node-1' }],
      workloads: [{ kind: 'Pod', name: 'web', containers: [{ name: 'app', lines: ['one', 'two'] }] }],
    },
  });
  client = await simClient(cluster);
  const where = { namespace: 'default', pod: 'web', container: 'app' };
  const write = (text: string) => cluster.writeLog(where, { bytes: Buffer.from(text) });
  await cluster.control.rotateLog(where);
  await write('three');
  await cluster.control.rotateLog(where);
  await write('four');
});
afterAll(async () => {
  client.close();
  await cluster.close();
});

const query = { id: 1, sources: ['pods/web'] };

async function download(rotated: object): Promise<string[]> {
  const text = JSON.stringify({ ...query, selection: { kind: 'all' }, ...rotated });
  const parameters = new URLSearchParams({ query: text, format: 'jsonl', token: 'x' });
  const answer = await appOf('GET /contexts/{context}/logs/download', servicesAround(client)).request(
    `/contexts/sim/logs/download?${parameters}`,
  );
  const lines = (await answer.text()).trimEnd().split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line).message as string);
}

test.each([
  [{}, ['four']],
  [{ rotated: 'no' }, ['four']],
  [{ rotated: 'auto' }, ['one', 'two', 'three', 'four']],
  [{ rotated: 'only' }, ['one', 'two', 'three']],
])('a download of %j has these lines', async (rotated, lines) => {
  expect(await download(rotated)).toEqual(lines);
});

test('a scan counts the files that it is to read, also after another one kept what it read', async () => {
  const services = servicesAround(client);
  const count = async (rotated: string) => {
    const answer = await appOf('POST /contexts/{context}/scan', services).request('/contexts/sim/scan', {
      method: 'POST',
      body: JSON.stringify({ ...query, rotated, bucketMs: 1e9 }),
      headers: { 'content-type': 'application/json' },
    });
    const frames = new Frames<ScanFrame>(answer);
    let lines: number | undefined;
    for (let frame = await frames.next(); frame !== undefined; frame = await frames.next()) {
      if (frame.type === 'scanned') lines = frame.lines;
      if (frame.type === 'done') break;
    }
    return lines;
  };
  expect([await count('no'), await count('auto'), await count('only'), await count('no')]).toEqual([
    1, 4, 3, 1,
  ]);
});

test('refuses a follow of only rotated files', async () => {
  const answer = await appOf('POST /contexts/{context}/logs', servicesAround(client)).request(
    '/contexts/sim/logs',
    {
      method: 'POST',
      body: JSON.stringify({
        queries: [{ ...query, selection: { kind: 'all' }, follow: true, rotated: 'only' }],
      }),
      headers: { 'content-type': 'application/json' },
    },
  );
  expect(await answer.text()).toContain('"problem":"rotated-and-follows"');
});
