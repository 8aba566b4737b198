import type { KubeClient } from '@logtool/kube/src/client.ts';
import { type Clock, systemClock } from '@logtool/kube/src/values/clock.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import {
  appOf,
  type ServicesAround,
  servicesAround,
} from '../../../../../test/support/server/around-route.ts';
import { Frames } from '../../../../../test/support/server/frames.ts';
import { simClient } from '../../../../../test/support/server/sim-client.ts';
import { LogFrame } from '../../contract/log-frame.ts';
import type { LogQuery } from '../../contract/log-query.ts';

let cluster: SimCluster;
let client: KubeClient;
const open: Frames<LogFrame>[] = [];
/** The lines of the scenario have fixed times: its containers start two hours before, whenever this runs. */
const sinceStartMs = systemClock.now();
const clock: Clock = {
  ...systemClock,
  now: () => Date.UTC(2026, 10, 21, 8) + systemClock.now() - sinceStartMs,
};

beforeAll(async () => {
  cluster = await startSimCluster({ scenario: 'scenarios/minimal.yaml', clock });
  client = await simClient(cluster);
});
afterEach(async () => {
  for (const frames of open.splice(0)) await frames.close();
});
afterAll(async () => {
  client.close();
  await cluster.close();
});

const tail: Pick<LogQuery, 'id' | 'selection'> = { id: 1, selection: { kind: 'tail', count: 100 } };

function post(services: ServicesAround, queries: readonly object[], context = 'sim') {
  const body = JSON.stringify({ queries });
  const headers = { 'content-type': 'application/json' };
  return appOf('POST /contexts/{context}/logs', services).request(`/contexts/${context}/logs`, {
    method: 'POST',
    body,
    headers,
  });
}

async function ask(services: ServicesAround, ...queries: readonly object[]): Promise<Frames<LogFrame>> {
  const response = await post(services, queries);
  expect(response.status).toBe(200);
  const frames = new Frames<LogFrame>(response);
  open.push(frames);
  return frames;
}

function messagesOf(frames: readonly LogFrame[], q: number): string[] {
  return frames.flatMap((frame) =>
    frame.type === 'records' && frame.q === q ? frame.records.map(([, , , message]) => message) : [],
  );
}

test('a window comes as sources, records in time order, end and done, all of the contract', async () => {
  const services = servicesAround(client);
  const frames = await ask(services, { ...tail, sources: ['deployments/web'], allContainers: true });
  const all = await frames.rest();
  for (const frame of all) expect(LogFrame.safeParse(frame).error).toBeUndefined();
  expect(all.map((frame) => (frame.type === 'notice' ? frame.code : frame.type))).toEqual([
    'sources',
    // The runs began long before their first lines.
    'gap',
    'gap',
    'gap',
    'gap',
    'records',
    'end',
    'done',
  ]);
  expect(messagesOf(all, 1)).toEqual([
    'GET /healthz 200',
    'GET /healthz 200',
    'level=info msg="listening" port=15001',
    'level=info msg="listening" port=15001',
    'GET /cart 200',
    'GET /cart 200',
    'GET /checkout 500',
    'GET /checkout 500',
  ]);
  const [first] = all;
  if (first?.type !== 'sources') throw new Error('sources come first');
  expect(first.sources.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
  expect(first.sources[0]).toMatchObject({
    arguments: ['deployments/web'],
    namespace: 'default',
    kind: 'regular',
    region: 'eu-west-1',
    restarts: 0,
    state: { kind: 'running', restarts: 0 },
    run: expect.stringMatching(/^containerd:\/\//),
  });
  expect(first.sources[0]?.order).toBe(`${first.sources[0]?.id}/${first.sources[0]?.run}`);
  const records = all.find((frame) => frame.type === 'records');
  expect(records?.records[0]?.slice(1, 3)).toEqual([Date.UTC(2026, 10, 21, 10) / 1000, 123456789]);
  expect(services).toMatchObject({ leases: 0, open: 0 });
});

test('several queries share one stream, each with its own sources and its own end', async () => {
  const frames = await ask(
    servicesAround(client),
    { ...tail, id: 1, sources: ['pods/hello'] },
    { ...tail, id: 7, sources: ['statefulsets/db'], selection: { kind: 'head', count: 2 } },
  );
  const all = await frames.rest();
  expect(messagesOf(all, 1)).toEqual(['one', 'two', 'three']);
  expect(messagesOf(all, 7)).toHaveLength(2);
  expect(all.filter(({ type }) => type === 'done')).toEqual([
    { type: 'done', q: expect.any(Number) },
    { type: 'done', q: expect.any(Number) },
  ]);
  expect(all.find((frame) => frame.type === 'end' && frame.q === 7)).toMatchObject({
    live: false,
    cut: true,
    next: expect.stringMatching(/Z(~\d+)?$/),
  });
});

test('following continues after the window, until the tab is closed', async () => {
  const services = servicesAround(client);
  const frames = await ask(services, { ...tail, sources: ['pods/db-0'], follow: true });
  const end = await frames.until('end');
  expect(end).toMatchObject({ live: true });
  const where = { namespace: 'default', pod: 'db-0', container: 'postgres' };
  const text = 'quote " backslash \\ tab \t bell \x07 é \u{1F600}';
  await cluster.writeLog(where, { bytes: Buffer.from(text) });
  await cluster.writeLog(where, { bytes: Buffer.from([0x61, 0xff, 0x62]) });
  await frames.until('records', ({ records }) => records.some(([, , , message]) => message === text));
  if (
    !frames.seen.some(
      (frame) => frame.type === 'records' && frame.records.some(([, , , , flags]) => flags & 16),
    )
  )
    await frames.until('records');
  const last = frames.seen.at(-1);
  expect(last?.type === 'records' && last.records.at(-1)?.slice(3)).toEqual(['a�b', 16]);
  expect(services).toMatchObject({ leases: 1, open: 1 });
  await frames.close();
  expect(services).toMatchObject({ leases: 0, open: 0 });
});

test('a missing source is a notice with what to do, and the others continue', async () => {
  const frames = await ask(servicesAround(client), { ...tail, sources: ['deployments/wbe', 'pods/hello'] });
  const all = await frames.rest();
  expect(all.find(({ type }) => type === 'notice')).toMatchObject({
    code: 'source-failed',
    error: { code: 'source-not-found', data: { name: 'wbe' } },
  });
  expect(messagesOf(all, 1)).toEqual(['one', 'two', 'three']);
});

test('a missing right names verb, resource and namespace, and the line that checks it', async () => {
  const reader = await simClient(cluster, 'reader');
  const frames = await ask(servicesAround(reader), { ...tail, sources: ['shop:pods/*', 'pods/hello'] });
  const all = await frames.rest();
  reader.close();
  expect(all.find((frame) => frame.type === 'notice' && frame.code === 'source-failed')).toMatchObject({
    error: {
      code: 'forbidden',
      denied: {
        verb: 'list',
        resource: 'pods',
        namespace: 'shop',
        check: 'kubectl auth can-i list pods -n shop',
      },
    },
  });
  expect(messagesOf(all, 1)).toEqual(['one', 'two', 'three']);
});

test('only an invalid query ends', async () => {
  const frames = await ask(
    servicesAround(client),
    { ...tail, id: 1, sources: ['pods/hello'], grep: '(' },
    { ...tail, id: 2, sources: ['pods/hel$lo'] },
    { ...tail, id: 3, sources: ['pods/hello'] },
  );
  const all = await frames.rest();
  expect(all.filter(({ type }) => type === 'done')).toHaveLength(3);
  const done = (q: number) => all.find((frame) => frame.type === 'done' && frame.q === q);
  expect(done(1)).toMatchObject({ error: { code: 'bad-pattern' }, final: true });
  expect(done(2)).toMatchObject({ error: { code: 'bad-source' }, final: true });
  expect(done(3)).toEqual({ type: 'done', q: 3 });
  expect(messagesOf(all, 3)).toEqual(['one', 'two', 'three']);
});

test.each([
  ['a namespace that is not shown', { sources: ['kube-system:pods/x'] }, 403, 'namespace-not-allowed'],
  ['no source', { sources: [] }, 400, 'bad-request'],
  [
    'a time that is none',
    { sources: ['default:pods/x'], from: { kind: 'strict', at: 'x' } },
    400,
    'bad-request',
  ],
])('%s refuses the request', async (_, change, status, code) => {
  const services = servicesAround(client, { allowedNamespaces: ['default', 'shop'] });
  const response = await post(services, [{ ...tail, ...change }]);
  expect(response.status).toBe(status);
  expect(await response.json()).toMatchObject({ error: { code } });
  expect(services).toMatchObject({ leases: 0, open: 0 });
});

test('a pattern of namespaces is read in those that are shown, and stays the argument of its containers', async () => {
  const services = servicesAround(client, { allowedNamespaces: ['default', 'shop'] });
  const frames = await ask(services, { ...tail, sources: ['*:pods/hello', 'default:pods/hello'] });
  const all = await frames.rest();
  expect(all.find(({ type }) => type === 'sources')).toMatchObject({
    sources: [{ pod: 'hello', arguments: ['*:pods/hello', 'default:pods/hello'] }],
  });
});

test('a missing context has its own answer', async () => {
  const response = await post(servicesAround(client), [{ ...tail, sources: ['pods/hello'] }], 'other');
  expect(response.status).toBe(404);
});

test('a stream that the server ends says why in its last line', async () => {
  const services = servicesAround(client);
  const frames = await ask(services, { ...tail, sources: ['pods/db-0'], follow: true });
  await frames.until('end');
  services.closeAll('signed-out');
  const all = await frames.rest();
  expect(all.at(-1)).toEqual({ type: 'closing', reason: 'signed-out' });
  expect(services).toMatchObject({ leases: 0, open: 0 });
});
