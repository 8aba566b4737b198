import { expect, test } from 'vitest';
import { openWhy, type WhyWorld } from './why-world.ts';

/** A cluster with one Deployment, a pod of which ends with these runs. */
async function openLoop(container: object): Promise<WhyWorld> {
  return openWhy({
    seed: 3,
    namespace: 'shop',
    namespaces: ['shop'],
    backfill: '30m',
    nodes: [{ name: 'node-1' }],
    workloads: [
      { kind: 'Deployment', name: 'web', replicas: 1, containers: [{ name: 'app', ...container }] },
    ],
  });
}

/** Runs the command that the answer ends with. */
async function runNext({ why, run }: WhyWorld): Promise<readonly string[]> {
  const { stdout } = await why('deployments/web', '-n', 'shop');
  const next = / {2}next: logtool (.*)\n$/.exec(stdout)?.[1] ?? '';
  const { code, stdout: shown } = await run(...next.split(' '), '--hide-header');
  expect(code).toBe(0);
  return shown.trimEnd().split('\n');
}

test('the next command of an old crash loop shows the last run and its end, of which the node has the log', async () => {
  const world = await openLoop({ lines: ['panic: nil map'], exit: { after: '2s', code: 2 } });
  try {
    const { stdout } = await world.why('deployments/web', '-n', 'shop');
    expect(stdout).toContain('first known sign 2026-11-22T11:30:');
    const rows = await runNext(world);
    expect(rows.some((row) => row.includes('panic: nil map'))).toBe(true);
    expect(rows.some((row) => row.includes('app exited 2'))).toBe(true);
  } finally {
    await world.close();
  }
});

test('the next command of a first crash shows what precedes it', async () => {
  const runs = [
    { lines: ['schema 41 expected'], exit: { after: '10m', code: 1 } },
    { logs: [{ format: 'plain', perSecond: 0.1 }] },
  ];
  const world = await openLoop({ runs });
  try {
    const rows = await runNext(world);
    expect(rows.find((row) => row.includes('app exited 1'))).toMatch(/^2026-11-22T11:40:/);
    expect(rows[0]).toMatch(/^2026-11-22T11:(?:39|40):/);
  } finally {
    await world.close();
  }
});

test('the next command shows the first sign in a log with many lines a minute, with all lines around it', async () => {
  const world = await openWhy({
    seed: 3,
    namespace: 'shop',
    namespaces: ['shop'],
    backfill: '30m',
    nodes: [{ name: 'node-1' }],
    workloads: [
      {
        kind: 'Deployment',
        name: 'web',
        replicas: 2,
        containers: [
          {
            name: 'app',
            limits: { memory: '64Mi' },
            logs: [{ format: 'plain', perSecond: 1, evenly: true }],
          },
        ],
      },
    ],
    timeline: [{ at: '-10m', action: 'oom', workload: 'deployments/web' }],
  });
  try {
    const { stdout } = await world.why('deployments/web', '-n', 'shop');
    expect(stdout).toContain('first known sign 2026-11-22T11:50:00~');
    const next = / {2}next: logtool (.*)\n$/.exec(stdout)?.[1] ?? '';
    const { code, stdout: shown, stderr } = await world.run(...next.split(' '), '--hide-header');
    expect({ code, failed: /not |cut|only/.exec(stderr)?.[0] }).toEqual({ code: 0, failed: undefined });
    const rows = shown.trimEnd().split('\n');
    expect(rows.findIndex((row) => row.includes('[OOMKilled]'))).toBeGreaterThan(100);
    const lines = rows.filter((row) => !row.includes(' [')).map((row) => row.split(' ')[0] ?? '');
    expect(lines[0]).toMatch(/^2026-11-22T11:49:0[01]/);
    expect(lines.at(-1)).toMatch(/^2026-11-22T11:50:59/);
    // Two pods, a line a second each: only the one that was killed may miss some while it restarts.
    expect(lines.length).toBeGreaterThan(200);
  } finally {
    await world.close();
  }
});

/** Explains sources, and runs the command that the answer ends with. */
async function followNext(workloads: readonly object[], source: string) {
  const world = await openWhy({
    seed: 4,
    namespace: 'shop',
    namespaces: ['shop'],
    backfill: '30m',
    nodes: [{ name: 'node-1' }],
    registries: [{ image: '*:denied', answers: 'denied' }],
    workloads,
  });
  const { stdout } = await world.why(source, '-n', 'shop');
  const next = / {2}next: logtool (.*)\n$/.exec(stdout)?.[1]?.replaceAll("'", '') ?? '';
  const shown = await world.run(...next.split(' '));
  await world.close();
  return { ...shown, next };
}

const IMPORT = {
  kind: 'CronJob',
  name: 'import',
  schedule: '3-59/7 * * * *',
  backoffLimit: 0,
  restartPolicy: 'Never',
  containers: [{ name: 'app', lines: ['no bucket'], exit: { after: '2s', code: 1 } }],
};

test('the next command of a CronJob whose first failed Jobs are gone shows the last one, of which there are lines', async () => {
  const { code, stdout } = await followNext([IMPORT], 'cronjobs/import');
  expect(code).toBe(0);
  expect(stdout).toContain('no bucket');
});

test('the next command of several workloads shows the first problem of which there are lines', async () => {
  const refused = { level: 'error', text: 'redis: connection refused' };
  const logs = [
    { format: 'json', perSecond: 0.1, levels: { info: 1 } },
    { format: 'json', perSecond: 0.5, from: '-10m', messages: [refused] },
  ];
  const web = { kind: 'Deployment', name: 'web', containers: [{ name: 'app', logs }] };
  const { code, stdout, next } = await followNext([IMPORT, web], 'pods/*');
  expect(code).toBe(0);
  expect(next).toContain('--since 2026-11-22T11:49:0');
  expect(stdout).toContain('redis: connection refused');
});

test('the next command of a Job without pods shows its events', async () => {
  const containers = [{ name: 'app', image: 'r/j:denied', lines: ['x'] }];
  const job = { kind: 'Job', name: 'j', at: '-10m', activeDeadlineSeconds: 240, containers };
  const { code, stdout, next } = await followNext([job], 'jobs/j');
  expect([code, next]).toEqual([0, 'events shop:job/j --since 2026-11-22T11:00:00Z']);
  expect(stdout).toContain('DeadlineExceeded');
});
