import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../src/cli/run.ts';
import { capture } from '../../src/cli/testing/capture.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { type SimCluster, startSimCluster } from '../../src/simcluster/start.ts';

let cluster: SimCluster;

beforeAll(async () => {
  cluster = await startSimCluster({ scenario: 'scenarios/minimal.yaml' });
});
afterAll(() => cluster?.close());

async function logtool(...argv: string[]) {
  const world = capture([...argv, '--kubeconfig', cluster.kubeconfig], { overrides: { clock: systemClock } });
  const code = await run(world.context);
  return { code, stdout: world.stdout(), stderr: world.stderr() };
}

test('the last records of a stateful set, as a table', async () => {
  const { code, stdout, stderr } = await logtool('logs', 'statefulsets/db', '--tail=3');
  expect(stderr).toBe('');
  expect(code).toBe(0);
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toBe(`${'TIMESTAMP'.padEnd(30)}  MESSAGE`);
  expect(lines.slice(1).map((line) => line.slice(32))).toEqual([
    'database system is ready to accept connections 23',
    'database system is ready to accept connections 24',
    'database system is ready to accept connections 25',
  ]);
});
