import type { KubeClient } from '@logtool/kube/src/client.ts';
import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appOf, servicesAround } from '../../../../../test/support/server/around-route.ts';
import { Frames } from '../../../../../test/support/server/frames.ts';
import { simClient } from '../../../../../test/support/server/sim-client.ts';
import type { LogFrame } from '../../contract/log-frame.ts';
import type { LogSource } from '../../contract/log-source.ts';

let cluster: SimCluster;
let client: KubeClient;
const where = { namespace: 'default', pod: 'db-0', container: 'postgres' };

beforeAll(async () => {
  cluster = await startSimCluster({ scenario: 'scenarios/minimal.yaml' });
  client = await simClient(cluster);
});
afterAll(async () => {
  client.close();
  await cluster.close();
});

async function ask(query: object): Promise<Frames<LogFrame>> {
  const response = await appOf('POST /contexts/{context}/logs', servicesAround(client)).request(
    '/contexts/sim/logs',
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ queries: [{ id: 1, follow: true, ...query }] }),
    },
  );
  expect(response.status).toBe(200);
  return new Frames<LogFrame>(response);
}

const write = (text: string) => cluster.writeLog(where, { bytes: Buffer.from(text) });
const linesOf = (frames: Frames<LogFrame>) =>
  frames.seen.flatMap((frame) => (frame.type === 'records' ? frame.records : []));

/** Reads until a line has arrived. */
async function untilLine(frames: Frames<LogFrame>, text: string): Promise<void> {
  if (linesOf(frames).some(([, , , message]) => message === text)) return;
  await frames.until('records', ({ records }) => records.some(([, , , message]) => message === text));
}

test('a cut view resumes where it was: missing records come, and loaded ones can be recognized', async () => {
  const first = await ask({ sources: ['statefulsets/db'], selection: { kind: 'tail', count: 5 } });
  await first.until('end');
  await write('seen');
  await untilLine(first, 'seen');
  const [run] = first.seen.flatMap((frame): readonly LogSource[] =>
    frame.type === 'sources' ? frame.sources : [],
  );
  if (run === undefined) throw new Error('there is a source');
  const held = linesOf(first).map(([, seconds, nanos, message]) => `${seconds}.${nanos} ${message}`);
  const newest = linesOf(first).at(-1);
  const oldest = linesOf(first)[0];
  const timeOf = (line: typeof newest) => formatTimestamp({ seconds: line?.[1] ?? 0, nanos: line?.[2] ?? 0 });
  const at = timeOf(newest);
  await first.close();

  await write('while away');
  const points = [
    { id: run.id, run: run.run, at },
    { id: 'gone-uid/main', run: 'containerd://gone', at },
  ];
  const second = await ask({
    sources: ['statefulsets/db'],
    selection: { kind: 'all' },
    resume: { since: timeOf(oldest), points },
  });
  await untilLine(second, 'while away');
  // The page counts new lines from here on.
  expect(await second.until('end')).toMatchObject({ live: true, cut: false });
  await write('live again');
  await untilLine(second, 'live again');
  const came = linesOf(second).map(([, seconds, nanos, message]) => `${seconds}.${nanos} ${message}`);
  const fresh = came.filter((line) => !held.includes(line));
  expect(fresh.map((line) => line.slice(line.indexOf(' ') + 1))).toEqual(['while away', 'live again']);
  expect(second.seen.find(({ type }) => type === 'notice')).toMatchObject({
    code: 'deleted-meanwhile',
    data: { ids: ['gone-uid/main'] },
  });
  expect(second.seen.some(({ type }) => type === 'gap')).toBe(false);
  await second.close();
});

test('what ended while nobody read is finished all the same', async () => {
  const frames = await ask({ sources: ['pods/hello'], selection: { kind: 'all' }, resume: { points: [] } });
  await frames.until('done');
  expect(linesOf(frames).map(([, , , message]) => message)).toEqual(['one', 'two', 'three']);
  expect(frames.seen.some((frame) => frame.type === 'state' && frame.state === 'finished')).toBe(true);
});

test('logtool can resume only a query that follows', async () => {
  const frames = await ask({
    sources: ['pods/hello'],
    selection: { kind: 'all' },
    follow: false,
    resume: { points: [] },
  });
  expect(await frames.until('done')).toMatchObject({ error: { code: 'bad-query' } });
});
