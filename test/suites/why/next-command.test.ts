import { expect, test } from 'vitest';
import { openWhy } from './why-world.ts';

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
