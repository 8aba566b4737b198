import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { followLogtool, type RunningProgram } from '../../support/conformance/program.ts';

let cluster: SimCluster;
let left: RunningProgram;

beforeAll(async () => {
  cluster = await startSimCluster({
    scenario: { nodes: [{ name: 'node-a' }], namespaces: ['default'], workloads: [] },
  });
});

afterAll(() => cluster?.close());

test('a test that does not stop what it follows', () => {
  left = followLogtool(['logs', '-l', 'app=web', '--follow', '--kubeconfig', cluster.kubeconfig]);
});

test('leaves no running process', async () => {
  expect(await left.ended).toBe(null);
});
