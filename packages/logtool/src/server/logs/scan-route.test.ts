import type { KubeClient } from '@logtool/kube/src/client.ts';
import { type Clock, FakeClock, systemClock } from '@logtool/kube/src/values/clock.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { appOf, servicesAround } from '../../../../../test/support/server/around-route.ts';
import { Frames } from '../../../../../test/support/server/frames.ts';
import { simClient } from '../../../../../test/support/server/sim-client.ts';
import { ScanFrame } from '../../contract/log-frame.ts';
import type { ScanQuery } from '../../contract/scan-query.ts';
import { COUNTED_LEVELS } from '../../domain/coverage/scan.ts';

let cluster: SimCluster;
let client: KubeClient;
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
afterAll(async () => {
  client.close();
  await cluster.close();
});

async function scan(query: Omit<ScanQuery, 'id'>): Promise<readonly ScanFrame[]> {
  const services = servicesAround(client);
  const response = await appOf('POST /contexts/{context}/scan', services).request('/contexts/sim/scan', {
    method: 'POST',
    body: JSON.stringify({ id: 1, ...query }),
    headers: { 'content-type': 'application/json' },
  });
  expect(response.status).toBe(200);
  const frames = new Frames<ScanFrame>(response);
  for (
    let frame = await frames.next();
    frame !== undefined && frame.type !== 'done';
    frame = await frames.next()
  );
  for (const frame of frames.seen) expect(ScanFrame.parse(frame)).toEqual(frame);
  return frames.seen;
}

const ofType = <T extends ScanFrame['type']>(frames: readonly ScanFrame[], type: T) =>
  frames.filter((frame): frame is Extract<ScanFrame, { type: T }> => frame.type === type);

test('counts a range by time and level, with the hits and what was covered', async () => {
  const frames = await scan({
    sources: ['deployments/web'],
    from: '2026-11-21T10:00:00Z',
    to: '2026-11-21T10:00:03Z',
    bucketMs: 1000,
    grep: 'GET /c',
    hits: { order: 'oldest', count: 3 },
  });
  const sources = ofType(frames, 'sources').flatMap((frame) => frame.sources);
  expect(sources).toHaveLength(2);
  const none = COUNTED_LEVELS.indexOf('none');
  const known = new Map<string, readonly [fromMs: number, lines: number, matches: number]>();
  for (const { id, buckets } of ofType(frames, 'counts'))
    for (const { fromMs, lines, matches } of buckets)
      known.set(`${id} ${fromMs}`, [fromMs, lines[none] ?? 0, matches[none] ?? 0]);
  const counted = new Map<number, readonly [number, number]>();
  for (const [fromMs, lines, matches] of known.values()) {
    const [allLines, allMatches] = counted.get(fromMs) ?? [0, 0];
    counted.set(fromMs, [allLines + lines, allMatches + matches]);
  }
  expect([...counted].sort(([a], [b]) => a - b).map(([, counts]) => counts)).toEqual([
    [2, 0],
    [2, 2],
    [2, 2],
  ]);
  const hits = ofType(frames, 'records').flatMap(({ records }) => records.map(([, , , message]) => message));
  expect(hits).toEqual(['GET /cart 200', 'GET /cart 200', 'GET /checkout 500']);
  const coverage = new Map(ofType(frames, 'coverage').map(({ id, from, to }) => [id, [from, to]]));
  expect([...coverage].sort()).toEqual(
    sources
      .map(({ id }) => [id, ['2026-11-21T10:00:00.000000000Z', '2026-11-21T10:00:03.000000000Z']])
      .sort(),
  );
  expect(ofType(frames, 'scanned')).toMatchObject([{ lines: 6, matches: 4, incomplete: [] }]);
  expect(ofType(frames, 'scanned')[0]?.stopped).toBeUndefined();
});

test('stops at its budget, and continues where it stopped', async () => {
  const query = { sources: ['statefulsets/db'], budget: { bytes: 1, ms: 60_000 }, bucketMs: 60_000 };
  const first = await scan(query);
  const [stopped] = ofType(first, 'scanned');
  expect(stopped?.stopped).toBe('bytes');
  const positions = ofType(first, 'coverage').flatMap(({ id, position }) =>
    position ? [{ id, ...position }] : [],
  );
  expect(positions.length).toBeGreaterThan(0);
  const rest = await scan({ ...query, budget: { bytes: 1e9, ms: 60_000 }, positions });
  const [ended] = ofType(rest, 'scanned');
  expect(ended?.stopped).toBeUndefined();
  expect((stopped?.lines ?? 0) + (ended?.lines ?? 0)).toBe(25);
});

test('a source that does not exist is a notice, and a wrong pattern an error', async () => {
  const missing = await scan({ sources: ['deployments/none'], bucketMs: 1000 });
  expect(ofType(missing, 'notice')).toMatchObject([{ code: 'source-failed' }]);
  const wrong = await scan({ sources: ['deployments/web'], grep: '(' });
  expect(ofType(wrong, 'done')[0]?.error?.code).toBeDefined();
});

test('searches as the page does: words, levels and JSON fields, or a regular expression', async () => {
  const search = { text: 'get -cart', matchCase: false, wholeWord: false, regex: false };
  const hits = { order: 'oldest' as const, count: 100 };
  const messagesOf = (frames: readonly ScanFrame[]) =>
    ofType(frames, 'records').flatMap(({ records }) => records.map(([, , , message]) => message));
  const all = messagesOf(await scan({ sources: ['deployments/web'], hits }));
  const expected = (isFound: (message: string) => boolean) => all.filter((message) => isFound(message));

  const terms = messagesOf(await scan({ sources: ['deployments/web'], hits, search }));
  expect(terms).toEqual(expected((message) => /get/i.test(message) && !/cart/i.test(message)));
  expect(terms).not.toHaveLength(0);

  const regex = { ...search, text: 'GET /c.*00$', regex: true, matchCase: true };
  const matched = messagesOf(await scan({ sources: ['deployments/web'], hits, search: regex }));
  expect(matched).toEqual(expected((message) => /GET \/c.*00$/.test(message)));
  expect(matched).not.toHaveLength(0);

  const fields = [{ path: 'level', value: 'none-has-this', exclude: false }];
  expect(messagesOf(await scan({ sources: ['deployments/web'], hits, fields }))).toEqual([]);
});

test('a count continues when its session reads no window; hits do not wait', async () => {
  // Its time stands still: a window goes first for as long as it is read.
  const services = servicesAround(client, { clock: new FakeClock(clock.now()) });
  const { windowsFirst } = services;
  const turns: string[] = [];
  let noteAsked = () => {};
  const asked = new Promise<void>((resolve) => {
    noteAsked = resolve;
  });
  const turn = windowsFirst.turn.bind(windowsFirst);
  windowsFirst.turn = (session, signal) => {
    turns.push(session);
    noteAsked();
    return turn(session, signal);
  };
  const ask = async (query: Omit<ScanQuery, 'id' | 'sources'>) => {
    const app = appOf('POST /contexts/{context}/scan', services);
    const response = await app.request('/contexts/sim/scan', {
      method: 'POST',
      body: JSON.stringify({ id: 1, sources: ['deployments/web'], ...query }),
      headers: { 'content-type': 'application/json' },
    });
    return new Frames<ScanFrame>(response).rest();
  };
  const end = windowsFirst.begin('session');
  const hits = { order: 'oldest', count: 1 } as const;
  await ask({ hits });
  expect(turns).toEqual([]);
  let counted: readonly ScanFrame[] | undefined;
  const counting = ask({ bucketMs: 1000 }).then((frames) => {
    counted = frames;
  });
  await asked;
  await ask({ hits });
  expect(counted).toBeUndefined();
  end();
  await counting;
  expect(ofType(counted ?? [], 'scanned')).toHaveLength(1);
  expect(new Set(turns)).toEqual(new Set(['session']));
});
