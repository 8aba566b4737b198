import type { KubeClient } from '@logtool/kube/src/client.ts';
import type { LogFrame } from '@logtool/logtool/src/contract/log-frame.ts';
import type { LogQuery } from '@logtool/logtool/src/contract/log-query.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appOf, servicesAround } from '../../support/server/around-route.ts';
import { Frames } from '../../support/server/frames.ts';
import { simClient } from '../../support/server/sim-client.ts';
import { writeRandomLines } from './random-lines.ts';

/** Linear in the line, but with 1,000 states for each character. */
const SLOW = '[ab]*a[ab]{1000}[xy]$';

let cluster: SimCluster;
let client: KubeClient;

beforeAll(async () => {
  cluster = await startSimCluster({ scenario: 'scenarios/minimal.yaml' });
  client = await simClient(cluster);
  const where = { namespace: 'default', pod: 'db-0', container: 'postgres' };
  await writeRandomLines(cluster, where);
});
afterAll(async () => {
  client.close();
  await cluster.close();
});

/** Opens a user's view of the log of 2 MB. */
async function view(...queries: readonly Partial<LogQuery>[]): Promise<Frames<LogFrame>> {
  const base = { sources: ['pods/db-0'], selection: { kind: 'all' } };
  const answer = await appOf('POST /contexts/{context}/logs', servicesAround(client)).request(
    '/contexts/sim/logs',
    {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ queries: queries.map((query, id) => ({ id, ...base, ...query })) }),
    },
  );
  return new Frames<LogFrame>(answer);
}

const rows: Partial<LogQuery> = { sources: ['pods/hello'], grep: 'on.' };

test('a request of many large patterns is refused query by query, before any is compiled', async () => {
  const exclude = Array.from({ length: 50 }, () => '(?i)[^\\pLa]{1000}');
  const frames = await view(...Array.from({ length: 63 }, () => ({ exclude })), rows);
  const done = (await frames.rest()).filter((frame) => frame.type === 'done');
  expect(done).toHaveLength(64);
  for (const { q, error, final } of done)
    expect([q, error?.code, final]).toEqual(
      q === 63 ? [63, undefined, undefined] : [q, 'pattern-too-large', true],
    );
});

test('others get their rows while ten views match a slow pattern, and a view that is closed ends', async () => {
  const slow = await Promise.all(Array.from({ length: 10 }, () => view({ grep: SLOW })));
  const ended: number[] = [];
  const ends = slow.map(async (frames, index) => {
    await frames.until('end').catch(() => undefined);
    ended.push(index);
  });
  for (let person = 0; person < 5; person++) {
    const frames = await (await view(rows)).rest();
    expect(frames.flatMap((frame) => (frame.type === 'records' ? frame.records : []))).toHaveLength(1);
  }
  // Matching would take minutes: it stops when the views close.
  expect(ended).toEqual([]);
  await Promise.all(slow.map((frames) => frames.close()));
  await Promise.all(ends);
});

test('a line of a megabyte is matched in its beginning, which the answer says', async () => {
  const where = { namespace: 'default', pod: 'hello', container: 'main' };
  await cluster.writeLog(where, { bytes: Buffer.from('ab'.repeat(500_000)) });
  const all = await (await view({ ...rows, grep: SLOW })).rest();
  expect(all.find((frame) => frame.type === 'notice' && frame.code === 'long-lines')).toMatchObject({
    data: { bytes: 1_000_000, limitBytes: expect.any(Number) },
  });
  expect(all.at(-1)).toEqual({ type: 'done', q: 0 });
  // A file has no place to report it.
  const query = { id: 0, sources: ['pods/hello'], selection: { kind: 'all' }, grep: SLOW };
  const parameters = new URLSearchParams({ query: JSON.stringify(query), format: 'text', token: 'x' });
  const file = await appOf('GET /contexts/{context}/logs/download', servicesAround(client)).request(
    `/contexts/sim/logs/download?${parameters}`,
  );
  expect(file.status).toBe(400);
  expect(await file.json()).toMatchObject({ error: { code: 'long-lines' } });
});
