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
      workloads: ['rotated', 'whole', 'restarted'].map((name) => ({
        kind: 'Pod',
        name,
        containers: [
          { name: 'app', logs: [{ format: 'logfmt', perSecond: 1, levels: { info: 9, error: 1 } }] },
        ],
      })),
      timeline: [
        { at: '-40m', action: 'crash', pod: 'restarted', code: 1 },
        { at: '-30m', action: 'crash', pod: 'restarted', code: 1 },
        { at: '-30m', action: 'rotate', pod: 'rotated' },
      ],
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

const GONE =
  /^! shop\/restarted\/app: records from \S+Z to \S+Z may be missing: the node no longer has 1 earlier run; it keeps one$/m;

test.each([
  ['a range before its first record', [`--until=${ago(45)}`]],
  ['a short tail of such a range', [`--until=${ago(45)}`, '--tail=5']],
  ['a level that no record has', ['--level=fatal']],
  ['a search of everything', ['--all', '--grep=no such text', '--force']],
  ['a short tail of a search', ['--tail=5', '--grep=no such text', '--force']],
])('%s is not just empty: the node no longer has earlier records', async (_, flags) => {
  const late = await logs('rotated', ...flags);
  expect([late.code, late.stdout.split('\n').length]).toEqual([0, 2]);
  expect(late.stderr).toMatch(LOST);
  const gone = await logs('restarted', ...flags);
  expect([gone.code, gone.stdout.split('\n').length]).toEqual([0, 2]);
  expect(gone.stderr).toMatch(GONE);
  expect((await logs('whole', ...flags)).stderr).toBe('');
});

test.each([
  [['--tail=5']],
  [[`--until=${ago(10)}`, '--tail=5']],
  [['--tail=1', '--grep=.', '--force']],
  [['--tail=0']],
])('a tail that newer records fill casts no doubt: %s', async (flags) => {
  for (const pod of ['rotated', 'restarted']) expect((await logs(pod, ...flags)).stderr).toBe('');
});

test('a log that was not rotated gets no doubt', async () => {
  for (const since of ['50m', '10m'])
    for (const what of ['--count', '--first'])
      expect((await logs('whole', what, `--since=${since}`)).stderr).toBe('');
  const { lost } = JSON.parse((await logs('whole', '--count', '-ojson')).stdout);
  expect(lost).toEqual([]);
});
