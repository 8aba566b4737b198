import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { run } from '@logtool/logtool/src/cli/run.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { capture } from '../../support/cli/capture.ts';

let cluster: SimCluster;

beforeAll(async () => {
  cluster = await startSimCluster({
    scenario: {
      seed: 1,
      namespace: 'shop',
      startDelays: 'none',
      backfill: '60m',
      namespaces: ['shop'],
      nodes: [{ name: 'node-a' }],
      users: [{ name: 'somebody' }],
      workloads: ['rotated', 'whole'].map((name) => ({
        kind: 'Pod',
        name,
        containers: [{ name: 'app', logs: [{ format: 'logfmt', perSecond: 1 }] }],
      })),
      timeline: [{ at: '-30m', action: 'rotate', pod: 'rotated' }],
    },
  });
});
afterAll(() => cluster?.close());

async function logs(...argv: string[]) {
  const world = capture(['logs', '--kubeconfig', cluster.kubeconfig, ...argv], {
    overrides: { clock: systemClock },
  });
  const code = await run(world.context);
  return { code, stdout: world.stdout(), stderr: world.stderr() };
}

const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

const LOST =
  /^! shop\/rotated\/app: the log begins at \S+Z, 30 m(?: \d+ s)? after the container started: earlier records may be gone$/m;

test('a count of a rotated log says from when on the node has it', async () => {
  const { code, stderr } = await logs('rotated', '--count', '--since=50m', `--before=${ago(40)}`);
  expect(code).toBe(0);
  expect(stderr).toMatch(LOST);
  const { lost } = JSON.parse((await logs('rotated', '--count', '--since=50m', '-ojson')).stdout);
  expect(lost).toMatchObject([{ pod: 'rotated', cause: 'begins-late' }]);
  const minutes = (Date.now() - Date.parse(lost[0].to)) / 60_000;
  expect(minutes).toBeGreaterThan(25);
  expect(minutes).toBeLessThan(35);
});

test('the first record of a rotated log is the first that the node has', async () => {
  expect((await logs('rotated', '--first')).stderr).toMatch(LOST);
  expect((await logs('rotated', '--first', '--since=50m')).stderr).toMatch(LOST);
  expect((await logs('rotated', '--first', '--since=20m')).stderr).toBe('');
});

test('a log that was not rotated gets no doubt', async () => {
  for (const since of ['50m', '10m'])
    for (const what of ['--count', '--first'])
      expect((await logs('whole', what, `--since=${since}`)).stderr).toBe('');
  const { lost } = JSON.parse((await logs('whole', '--count', '-ojson')).stdout);
  expect(lost).toEqual([]);
});
