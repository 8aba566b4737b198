import { startSimCluster } from '@logtool/simcluster/src/start.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type InstalledPackages,
  installPacked,
  readmeExamples,
} from '../../../test/support/packages/install-packed.ts';

let packed: InstalledPackages;

beforeAll(async () => {
  packed = await installPacked('kube');
});

afterAll(() => packed.close());

test('the packed package lists, watches and reads a log, by the example of its README', async () => {
  const [example = ''] = await readmeExamples('kube', 'js');
  const cluster = await startSimCluster({ scenario: 'scenarios/minimal.yaml' });
  try {
    const connecting = `connect(${JSON.stringify({ kubeconfig: cluster.kubeconfig })})`;
    const program = example.replace('connect()', connecting);
    expect(program).toContain(connecting);
    const lines = (await packed.run(program)).split('\n').filter((line) => line !== '');
    const listed = lines.filter((line) => line.startsWith('listed '));
    expect(listed.length).toBeGreaterThan(0);
    expect(lines.length - listed.length).toBe(2);
  } finally {
    await cluster.close();
  }
});

test('the example of the README has the types of the packed package', async () => {
  const [example = ''] = await readmeExamples('kube', 'js');
  expect(await packed.check(example)).toBe('');
  expect(await packed.check(`import { connect } from '@logtool/kube';\nconnect(1);\n`)).toContain(
    "Type '1' has no properties in common with type 'ConnectOptions'",
  );
});
