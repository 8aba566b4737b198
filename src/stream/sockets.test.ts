import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NO_FILTER, planOf } from '../../test/stream/collect.ts';
import { Chance } from '../../test/stream/random-workload.ts';
import { systemClock } from '../domain/clock.ts';
import type { Frame } from '../domain/frame.ts';
import type { LogRecord } from '../domain/record.ts';
import { formatTimestamp } from '../domain/timestamp.ts';
import type { KubeClient } from '../kube/client.ts';
import { openConnection } from '../kube/connection/open-connection.ts';
import { createKubeClient } from '../kube/create-client.ts';
import { resolveSources } from '../resolve/resolve-sources.ts';
import { type Fault, type SimCluster, startSimCluster } from '../simcluster/start.ts';
import type { EnginePlan } from './engine.ts';
import { readLogs } from './read-logs.ts';

const SCENARIO = resolve(import.meta.dirname, '../../scenarios/minimal.yaml');
const SEED = Number(process.env.SEED ?? Math.floor(Math.random() * 1e9));
const LINES = 120;

let cluster: SimCluster;
let client: KubeClient;
const expected: string[] = [];

const nameOf = (record: LogRecord) =>
  `${formatTimestamp(record.at)} ${record.source.target.pod} ${Buffer.from(record.message).toString('latin1')}`;

beforeAll(async () => {
  cluster = await startSimCluster({ scenario: SCENARIO });
  const options = { kubeconfig: cluster.kubeconfig, env: {}, homeDirectory: '/', clock: systemClock };
  client = createKubeClient(await openConnection(options), { clock: systemClock, userAgent: 'logtool-test' });
  const chance = new Chance(SEED);
  let ms = Date.UTC(2026, 10, 21, 11);
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

const from = { kind: 'inclusive', at: { seconds: Date.UTC(2026, 10, 21, 11) / 1000, nanos: 0 } } as const;

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
];

test.each(FAULTS)('over real sockets a log is read exactly through $kind $status', async (fault) => {
  const before = cluster.faultsHit;
  cluster.inject({ kind: 'reset', match: '/log\\?', times: 2, ...fault });
  try {
    const frames = await read(planOf({ from }));
    expect(frames.filter(({ type }) => type === 'gap' || type === 'source')).toEqual([]);
    const names = frames.flatMap((frame) => (frame.type === 'records' ? frame.records.map(nameOf) : []));
    expect(names, `SEED=${SEED}`).toEqual(expected);
    expect(cluster.faultsHit).toBe(before + 2);
  } finally {
    cluster.clearFaults();
  }
});

test('over real sockets a page in the middle is the middle of the list', async () => {
  const middle = expected[60]!.slice(0, 30);
  const { parseTimestamp } = await import('../domain/timestamp.ts');
  const to = { kind: 'strict', at: parseTimestamp(middle)! } as const;
  const frames = await read({ ...planOf({ selection: { kind: 'tail', count: 5 }, to }), filter: NO_FILTER });
  const names = frames.flatMap((frame) => (frame.type === 'records' ? frame.records.map(nameOf) : []));
  const before = expected.filter((name) => name.slice(0, 30) < middle);
  expect(names).toEqual(before.slice(-5));
});
