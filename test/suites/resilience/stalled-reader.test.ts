import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type BuiltCli, buildCli } from '../../support/program/build-cli.ts';
import { seesOpenFiles } from './open-files.ts';
import { type RunningProgram, startProgram } from './start-program.ts';

const PODS = 4;
const LINES = 2_000;
const PADDING = 'x'.repeat(15_000);
/** Limit on what the program may hold of 120 MB written without a reader. */
const MAX_MIB = 40;

let cli: BuiltCli;

beforeAll(async () => {
  cli = await buildCli();
});
afterAll(() => cli?.remove());

async function clusterOf(replicas: number): Promise<SimCluster> {
  const cluster = await startSimCluster({
    scenario: {
      startDelays: 'none',
      // Rotation happens only when a test requests it.
      logMaxBytes: 1_000_000_000,
      nodes: [{ name: 'node-a' }],
      workloads: [
        { kind: 'Deployment', name: 'web', replicas, containers: [{ name: 'app', lines: ['up'] }] },
      ],
    },
  });
  onTestFinished(() => cluster.close());
  return cluster;
}

interface Line {
  readonly pod: string;
  readonly timestamp: string;
  /** Undefined for the first line of each container. */
  readonly number: number | undefined;
}

/** Starts a following program; returns it with its output read so far. */
async function follow(cluster: SimCluster) {
  const argv = ['logs', 'deployments/web', '-f', '--all', '-o', 'json'];
  const program = await startProgram(cli, cluster.kubeconfig, argv);
  const lines: Line[] = [];
  let onLine = () => {};
  const reader = createInterface({ input: program.child.stdout });
  reader.on('line', (text) => {
    const { pod, timestamp, message } = JSON.parse(text);
    const number = message === 'up' ? undefined : Number.parseInt(message, 10);
    lines.push({ pod, timestamp, number });
    onLine();
  });
  const until = (isSo: () => boolean) =>
    new Promise<void>((resolve) => {
      onLine = () => isSo() && resolve();
      onLine();
    });
  return { program, reader, lines, until };
}

async function write(cluster: SimCluster, first: number, lines: number): Promise<void> {
  for (let n = first; n < first + lines; n += 100) {
    const text = Array.from({ length: 100 }, (_, index) => `${n + index} ${PADDING}`);
    await cluster.control.writeLines({ workload: 'deployments/web', text });
    // The cluster runs in this process: let it send what it can.
    await new Promise(setImmediate);
  }
}

/** Returns the current memory of a process, MiB. Only on Linux. */
async function residentMiB(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

/** Resolves once a process has been idle for a while: it has read everything it will. */
async function idle({ child }: RunningProgram): Promise<void> {
  let last = '';
  let same = 0;
  await vi.waitFor(
    async () => {
      const fields = (await readFile(`/proc/${child.pid}/stat`, 'utf8')).split(' ');
      const used = `${fields[13]} ${fields[14]}`;
      same = used === last ? same + 1 : 0;
      last = used;
      expect(same).toBeGreaterThan(5);
    },
    { timeout: 60_000, interval: 50 },
  );
}

const onLinux = test.runIf(seesOpenFiles);

onLinux('what a reader does not read is held by the cluster; then all of it is there', async () => {
  const cluster = await clusterOf(PODS);
  const { program, reader, lines, until } = await follow(cluster);
  await until(() => lines.length === PODS);
  await idle(program);
  reader.pause();
  const before = await residentMiB(program.child.pid);
  await write(cluster, 0, LINES);
  await idle(program);
  const held = (await residentMiB(program.child.pid)) - before;
  expect(lines.length).toBeLessThan((PODS * LINES) / 2);
  expect(held).toBeLessThan(MAX_MIB);
  reader.resume();
  await until(() => lines.length >= PODS + PODS * LINES);
  program.child.kill('SIGINT');
  expect(await program.ended).toEqual({ code: 130, stderr: '', left: [] });
  const numbers = new Map<string, (number | undefined)[]>();
  for (const { pod, number } of lines) numbers.set(pod, [...(numbers.get(pod) ?? []), number]);
  const wanted = [undefined, ...Array.from({ length: LINES }, (_, n) => n)];
  expect([...numbers.values()]).toEqual(Array.from({ length: PODS }, () => wanted));
});

test('reports what was rotated away before the reader resumed, and nothing else is missing', async () => {
  const cluster = await clusterOf(1);
  const { program, reader, lines, until } = await follow(cluster);
  await until(() => lines.length === 1);
  reader.pause();
  const count = 3_000;
  for (let n = 0; n < count; n += 1_000) {
    await write(cluster, n, 1_000);
    await cluster.control.rotateLog({ workload: 'deployments/web' });
  }
  // Only the newest file still has the lines that are requested again.
  expect(await cluster.control.cutLogs()).toEqual({ cut: 1 });
  reader.resume();
  await cluster.control.writeLines({ workload: 'deployments/web', text: `${count} end` });
  await until(() => lines.at(-1)?.number === count);
  program.child.kill('SIGINT');
  const { code, stderr } = await program.ended;
  expect(code).toBe(130);
  const jumps = lines.flatMap(({ number = -1, timestamp }, index) => {
    const next = lines[index + 1];
    if (next === undefined || next.number === number + 1) return [];
    return `! default/POD/app: records from ${timestamp} to ${next.timestamp} may be missing: the node rotated the log\n`;
  });
  expect(jumps).not.toEqual([]);
  expect(stderr.replaceAll(lines[0]?.pod ?? '', 'POD')).toBe(jumps.join(''));
});
