import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startSimCluster } from '@logtool/simcluster/src/start.ts';
import { type Cost, runOnce } from './measure/run-once.ts';

/*
 * Measures `events` and `why` of a build over many events and pods: time, memory and requests. The simulated cluster
 * runs in this process. `npm run build`, then `node scripts/run/run-ts.mjs bench/happenings.ts [rounds]`
 */

const ROUNDS = Number(process.argv[2] ?? 5);
const PROGRAM = resolve(import.meta.dirname, '../bin/logtool.js');
const SPAN_MS = 3_000_000;

const steady = { format: 'json', perSecond: 1, levels: { info: 1 } };
const failing = {
  format: 'json',
  perSecond: 1,
  from: '-10m',
  messages: [{ level: 'error', text: 'no database' }],
};

/** A StatefulSet of this many pods, whose names are known. */
function scenario(replicas: number, container: object, events = 0): object {
  const begin = Date.now() - SPAN_MS;
  return {
    seed: 9,
    backfill: '30m',
    namespace: 'shop',
    namespaces: ['shop'],
    nodes: [{ name: 'node-1' }, { name: 'node-2' }, { name: 'node-3' }],
    workloads: [{ kind: 'StatefulSet', name: 'web', replicas, containers: [{ name: 'app', ...container }] }],
    objects: Array.from({ length: events }, (_, index) => {
      const time = new Date(begin + (index * SPAN_MS) / events).toISOString().replace(/\.\d+Z/, 'Z');
      return {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: `web-${index}`, namespace: 'shop' },
        involvedObject: { kind: 'Pod', namespace: 'shop', name: `web-${index % replicas}` },
        reason: 'Unhealthy',
        message: `Readiness probe failed: HTTP probe failed with statuscode: ${500 + (index % 90)}`,
        type: 'Warning',
        firstTimestamp: time,
        lastTimestamp: time,
        count: 1,
        source: { component: 'kubelet', host: 'node-1' },
      };
    }),
  };
}

const WHY = ['why', 'statefulsets/web'];
const EVENTS = ['events', 'statefulsets/web'];
const CASES: readonly (readonly [name: string, scenario: object, argv: readonly string[]])[] = [
  [
    'why: 20 pods that crash',
    scenario(20, { lines: ['starting', 'ERROR no database'], exit: { code: 3 } }),
    WHY,
  ],
  ['why: 20 healthy pods', scenario(20, { logs: [steady] }), WHY],
  ['why: 20 pods in whose logs errors begin', scenario(20, { logs: [steady, failing] }), WHY],
  ['why: 3 pods, 9,900 events about them', scenario(3, { logs: [steady] }, 9_900), WHY],
  ['events: 9,900 of 3 pods', scenario(3, { logs: [steady] }, 9_900), EVENTS],
  ['events: the newest 10,000 of 30,000', scenario(3, { logs: [steady] }, 30_000), EVENTS],
];

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

const directory = await mkdtemp(join(tmpdir(), 'logtool-bench-'));
console.log(
  `${cpus()[0]?.model}, ${cpus().length} cores; Node ${process.version}; medians of ${ROUNDS} rounds\n`,
);
console.log('| case | wall time | CPU time | peak memory | requests |\n|---|---|---|---|---|');
for (const [name, given, argv] of CASES) {
  const cluster = await startSimCluster({ scenario: given });
  const env = { ...process.env, KUBECONFIG: cluster.kubeconfig, HOME: directory };
  const costs: Cost[] = [];
  let requests = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const before = cluster.requests.length;
    costs.push(await runOnce([[process.execPath, PROGRAM, ...argv]], { env, directory }));
    requests = cluster.requests.length - before;
  }
  const of = (value: (cost: Cost) => number) => Math.round(median(costs.map(value)));
  const mib = of(({ peakBytes }) => (peakBytes ?? Number.NaN) / 2 ** 20);
  console.log(
    `| ${name} | ${of(({ wallMs }) => wallMs)} ms | ${of(({ cpuMs }) => cpuMs)} ms | ${mib} MiB | ${requests} |`,
  );
  await cluster.close();
}
await rm(directory, { recursive: true, force: true });
