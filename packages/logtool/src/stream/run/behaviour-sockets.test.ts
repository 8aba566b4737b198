import { resolve } from 'node:path';
import type { KubeClient } from '@logtool/kube/src/client.ts';
import { openConnection } from '@logtool/kube/src/connection/open-connection.ts';
import { createKubeClient } from '@logtool/kube/src/create-client.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import type { Fault } from '@logtool/simcluster/src/faults/fault.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NO_FILTER, planOf } from '../../../../../test/support/engine/collect.ts';
import { Chance } from '../../../../../test/support/engine/random-workload.ts';
import type { Frame } from '../../domain/frame.ts';
import type { LogRecord } from '../../domain/record.ts';
import { resolveSources } from '../../resolve/resolve-sources.ts';
import type { EnginePlan } from '../plan/engine.ts';
import { readLogs } from '../view/read-logs.ts';

const SCENARIO = resolve(import.meta.dirname, '../../../../../scenarios/minimal.yaml');
const SEED = Number(process.env.LOGTOOL_SEED ?? Math.floor(Math.random() * 1e9));
const LINES = 120;
/** Times of the test's own lines: after those that the cluster writes at its start, whenever that is. */
const HOUR_MS = 3_600_000;
const WRITTEN_MS = (Math.floor(Date.now() / HOUR_MS) + 2) * HOUR_MS;
const FOLLOWED_MS = WRITTEN_MS + HOUR_MS;

let cluster: SimCluster;
let client: KubeClient;
const expected: string[] = [];

const nameOf = (record: LogRecord) =>
  `${formatTimestamp(record.at)} ${record.run.target.pod} ${Buffer.from(record.message).toString('latin1')}`;

beforeAll(async () => {
  cluster = await startSimCluster({ scenario: SCENARIO });
  const options = { kubeconfig: cluster.kubeconfig, env: {}, homeDirectory: '/', clock: systemClock };
  client = createKubeClient(await openConnection(options), { clock: systemClock, userAgent: 'logtool-test' });
  const chance = new Chance(SEED);
  let ms = WRITTEN_MS;
  for (let index = 0; index < LINES; index++) {
    ms += chance.of([0, 1, 400, 1500]);
    const bytes = Buffer.from(`line ${index} ${'ÿ'.repeat(chance.int(0, 30))}`, 'latin1');
    const at = new Date(ms).toISOString().replace('Z', '000000Z');
    await cluster.writeLog({ namespace: 'default', pod: 'db-0', container: 'postgres' }, { bytes, at });
    expected.push(`${at} db-0 ${bytes.toString('latin1')}`);
  }
});

afterAll(async () => {
  client?.close();
  await cluster?.close();
});

async function read(plan: EnginePlan): Promise<Frame[]> {
  const { signal } = new AbortController();
  const sources = resolveSources(
    client,
    { sources: ['db-0'], allContainers: false, nodes: [], regions: [], zones: [], os: [], arch: [] },
    { follow: false, signal },
  );
  const frames: Frame[] = [];
  for await (const frame of readLogs({ client, clock: systemClock, signal }, sources, plan))
    frames.push(frame);
  return frames;
}

const from = { kind: 'inclusive', at: { seconds: WRITTEN_MS / 1000, nanos: 0 } } as const;

const FAULTS: readonly Partial<Fault>[] = [
  { kind: 'reset', afterBytes: 700 },
  { kind: 'clean-end', afterBytes: 700 },
  { kind: 'clean-end', afterBytes: 0 },
  { kind: 'delay', delayMs: 30 },
  { kind: 'status', status: 401 },
  { kind: 'status', status: 403 },
  { kind: 'status', status: 404 },
  { kind: 'status', status: 429 },
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503 },
  { kind: 'status', status: 200, text: 'unable to retrieve container logs for containerd://x' },
  { kind: 'split', chunkBytes: 1 },
  { kind: 'stall', afterBytes: 700, delayMs: 60 },
  { kind: 'truncate-json', match: '/pods/db-0$', afterBytes: 40 },
];

test.each(FAULTS)('over real sockets a log is read exactly through $kind $status', async (fault) => {
  const before = cluster.faultsHit;
  cluster.inject({ kind: 'reset', match: '/log\\?', times: 2, ...fault });
  try {
    const frames = await read(planOf({ from }));
    expect(frames.filter(({ type }) => type === 'gap' || type === 'source')).toEqual([]);
    const names = frames.flatMap((frame) => (frame.type === 'records' ? frame.records.map(nameOf) : []));
    expect(names, `LOGTOOL_SEED=${SEED}`).toEqual(expected);
    expect(cluster.faultsHit).toBe(before + 2);
  } finally {
    cluster.clearFaults();
  }
});

test('over real sockets a page in the middle is the middle of the list', async () => {
  const middle = expected[60]!.slice(0, 30);
  const { parseTimestamp } = await import('@logtool/kube/src/values/timestamp.ts');
  const to = { kind: 'strict', at: parseTimestamp(middle)! } as const;
  const frames = await read({ ...planOf({ selection: { kind: 'tail', count: 5 }, to }), filter: NO_FILTER });
  const names = frames.flatMap((frame) => (frame.type === 'records' ? frame.records.map(nameOf) : []));
  const before = expected.filter((name) => name.slice(0, 30) < middle);
  expect(names).toEqual(before.slice(-5));
});

test('over real sockets following loses and doubles nothing while connections break', async () => {
  const abort = new AbortController();
  const { signal } = abort;
  const sources = resolveSources(
    client,
    { sources: ['db-0'], allContainers: false, nodes: [], regions: [], zones: [], os: [], arch: [] },
    { follow: true, signal },
  );
  const plan = planOf({ selection: { kind: 'tail', count: 0 }, follow: true });
  const seen: string[] = [];
  const wanted: string[] = [];
  const write = async (index: number) => {
    const at = new Date(FOLLOWED_MS + index * 40).toISOString().replace('Z', '000000Z');
    const bytes = Buffer.from(`live ${index}`);
    wanted.push(`${at} db-0 live ${index}`);
    await cluster.writeLog({ namespace: 'default', pod: 'db-0', container: 'postgres' }, { bytes, at });
  };
  const before = cluster.faultsHit;
  try {
    for await (const frame of readLogs({ client, clock: systemClock, signal }, sources, plan)) {
      expect(frame.type).not.toBe('gap');
      if (frame.type === 'end') {
        for (const kind of ['reset', 'clean-end'] as const) {
          cluster.inject({ kind, match: '/log\\?.*follow', times: 2, afterBytes: 150 });
        }
        cluster.inject({ kind: 'drop-watch', times: 1 });
        cluster.inject({ kind: 'expire-watch', times: 1 });
        for (let index = 0; index < 60; index++) await write(index);
      }
      if (frame.type === 'records') seen.push(...frame.records.map(nameOf));
      if (seen.length >= 60) break;
    }
    expect(seen).toEqual(wanted);
    expect(cluster.faultsHit).toBeGreaterThan(before);
  } finally {
    abort.abort();
    cluster.clearFaults();
  }
}, 20_000);
