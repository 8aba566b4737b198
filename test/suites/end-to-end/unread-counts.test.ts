import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { run } from '@logtool/logtool/src/cli/run.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { capture } from '../../support/cli/capture.ts';

let cluster: SimCluster;

const LOGS = [{ format: 'logfmt', perSecond: 1 }];

beforeAll(async () => {
  cluster = await startSimCluster({
    scenario: {
      seed: 1,
      namespace: 'shop',
      startDelays: 'none',
      backfill: '5m',
      namespaces: ['shop'],
      nodes: [{ name: 'node-a' }],
      users: [{ name: 'somebody' }],
      registries: [{ image: 'bad/*', answers: 'denied' }],
      workloads: [
        { kind: 'Pod', name: 'restarted', containers: [{ name: 'app', logs: LOGS }] },
        { kind: 'Pod', name: 'refused', containers: [{ name: 'app', logs: LOGS }] },
        { kind: 'Pod', name: 'unstarted', containers: [{ name: 'app', image: 'bad/none:1', lines: ['x'] }] },
      ],
      timeline: [{ at: '-2m', action: 'crash', pod: 'restarted', code: 1 }],
    },
  });
  cluster.inject({ kind: 'status', status: 403, match: 'restarted/log.*previous' });
  cluster.inject({ kind: 'status', status: 403, match: 'refused/log' });
});
afterAll(() => cluster?.close());

async function count(...argv: string[]) {
  const world = capture(['logs', '--kubeconfig', cluster.kubeconfig, '--count', ...argv], {
    overrides: { clock: systemClock },
  });
  const code = await run(world.context);
  return { code, stdout: world.stdout(), stderr: world.stderr() };
}

test.each([
  ['a pod that does not exist', 'pods/missing'],
  ['a log that is refused', 'pods/refused'],
])('%s has no total', async (_, source) => {
  for (const format of ['text', 'json', 'csv']) {
    const { code, stdout, stderr } = await count(source, '-o', format);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: /m);
  }
});

test('a cluster that cannot be reached has no total', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'unread-counts-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'config');
  const reachable = await readFile(cluster.kubeconfig, 'utf8');
  // Nothing listens on the discard port.
  await writeFile(path, reachable.replaceAll(/https?:\/\/[^"\s]+/g, 'http://127.0.0.1:9'));
  for (const format of ['text', 'json']) {
    const { code, stdout, stderr } = await count('pods/restarted', '--kubeconfig', path, '-o', format);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^error: /m);
  }
});

test('one readable log of two is counted, and the other is incomplete', async () => {
  const { code, stdout } = await count('pods/restarted', 'pods/refused', '-ojson');
  expect(code).toBe(1);
  const { records, incomplete } = JSON.parse(stdout);
  expect(records).toBeGreaterThan(0);
  expect(incomplete).toContainEqual({ namespace: 'shop', pod: 'refused', container: 'app' });
});

test('a previous run that the node refuses is incomplete in JSON too', async () => {
  const { code, stdout, stderr } = await count('pods/restarted', '-ojson');
  expect(code).toBe(0);
  expect(stderr).toContain('logtool cannot read the previous run');
  const { records, incomplete, lost } = JSON.parse(stdout);
  expect(records).toBeGreaterThan(0);
  expect(incomplete).toEqual([
    {
      namespace: 'shop',
      pod: 'restarted',
      container: 'app',
      to: expect.stringMatching(/Z$/),
      cause: 'previous-unreadable',
    },
  ]);
  expect(lost).toEqual([]);
});

test('the count of a container that has not started names it', async () => {
  const { code, stdout, stderr } = await count('pods/unstarted');
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^total +0$/m)]);
  expect(stderr).toMatch(/^~ shop\/unstarted\/app has not started: \w*ImagePull/m);
});
