import { history } from '@logtool/helm/src/actions/history.ts';
import { clusterStorage } from '@logtool/helm/src/release/cluster-storage.ts';
import { systemClock } from '@logtool/kube/src/values/clock.ts';
import { Stop } from '@logtool/logtool/src/cli/exit-codes.ts';
import { run } from '@logtool/logtool/src/cli/run.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { capture } from '../../support/cli/capture.ts';
import { type HelmCluster, quickClock, startHelmCluster } from '../../support/helm/cluster.ts';

/* What remains of a release, and what logtool reports about it, after Ctrl-C in the middle. */
let cluster: HelmCluster;
beforeAll(async () => {
  cluster = await startHelmCluster();
});
afterAll(() => cluster.close());

/**
 * Runs a command, and interrupts it once it has written `text` to standard error; returns exit code and text.
 */
async function interruptedAt(text: string, ...argv: readonly string[]) {
  const world = capture(
    ['cluster', ...argv, `--kubeconfig=${cluster.sim.kubeconfig}`, '--name=own', '-n', 'default'],
    { overrides: { clock: systemClock, workingDirectory: process.cwd() } },
  );
  const { context, controller } = world;
  const stderr = {
    ...context.stderr,
    write: async (chunk: string | Uint8Array) => {
      await context.stderr.write(chunk);
      if (world.stderr().includes(text)) controller.abort(new Stop(130, 'interrupted'));
    },
  };
  const exitCode = await run({ ...context, stderr });
  return { exitCode, stderr: world.stderr() };
}

test('an installation that is interrupted says what is recorded and what to do', async () => {
  const { exitCode, stderr } = await interruptedAt('applied Service', 'install', '--repo-offline');
  expect([exitCode, stderr]).toEqual([130, expect.stringContaining('applied Service')]);
  expect(stderr).toContain(
    `error: the installation of own was interrupted\n  why: logtool recorded revision 1 as failed, with every change made so far\n  next: continue with: logtool cluster uninstall --name own -n default --kubeconfig ${cluster.sim.kubeconfig}, then install again\n`,
  );
  const { client } = cluster;
  const action = { client, clock: quickClock, storage: clusterStorage(client, quickClock) };
  const revisions = await history(action, 'default', 'own');
  expect(revisions.map(({ info }) => [info.status, info.description])).toEqual([
    ['failed', 'the installation of own failed: interrupted'],
  ]);
});

test('an uninstallation that is interrupted while it forgets the release says so', async () => {
  await interruptedAt('nothing', 'upgrade', '--repo-offline', '--no-wait');
  const slow = { kind: 'delay', delayMs: 60_000, match: '^DELETE .*/secrets/' } as const;
  cluster.sim.inject(slow);
  const { exitCode, stderr } = await interruptedAt(' gone', 'uninstall');
  cluster.sim.clearFaults();
  expect([exitCode, stderr]).toEqual([
    130,
    expect.stringContaining('the uninstallation of own was interrupted'),
  ]);
  expect(stderr).toContain('  why: logtool has removed its objects, but its record still exists\n');
  expect(stderr).toContain('  next: continue with: logtool cluster uninstall --name own -n default');
  expect((await interruptedAt('nothing', 'uninstall')).exitCode).toBe(0);
});
