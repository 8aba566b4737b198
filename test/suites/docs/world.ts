import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { FakeClock, systemClock } from '@logtool/kube/src/values/clock.ts';
import { EXIT, Stop } from '@logtool/logtool/src/cli/exit-codes.ts';
import { run } from '@logtool/logtool/src/cli/run.ts';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { type Capture, type CaptureOptions, capture } from '../../support/cli/capture.ts';
import { helm } from '../../support/oracles/helm.ts';
import { kubectl } from '../../support/oracles/kubectl.ts';
import { ROOT } from './markdown.ts';

/** The time on the pages: outputs contain its lines. */
const NOON = Date.UTC(2026, 10, 22, 12);

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Where the pages' commands run: the demo's shop at noon, a cluster for releases, and a separate home folder.
 */
export interface DocWorld {
  /** `ends`: aborts, like Ctrl-C, once this is true of the output. */
  readonly logtool: (argv: readonly string[], ends?: (world: Capture) => boolean) => Promise<Ran>;
  /** Runs logtool on a terminal; a simulated user presses Enter when the picker asks. */
  readonly pick: (argv: readonly string[]) => Promise<Ran>;
  /** Runs the real kubectl as administrator of the cluster for releases. Throws if it fails. */
  readonly kubectl: (argv: readonly string[]) => Promise<undefined>;
  /** Runs the real helm in the repository's folder, on that cluster. Throws if it fails. */
  readonly helm: (argv: readonly string[]) => Promise<void>;
  /** Runs logtool on the cluster for releases, whose clock runs. */
  readonly release: (argv: readonly string[]) => Promise<Ran>;
  readonly home: string;
  readonly close: () => Promise<void>;
}

export async function openWorld(): Promise<DocWorld> {
  const clock = new FakeClock(NOON);
  const home = await mkdtemp(join(tmpdir(), 'logtool-docs-'));
  const shop = await startSimCluster({ scenario: 'scenarios/shop.yaml', clock });
  let releases: Promise<SimCluster> | undefined;
  const releaseCluster = () => {
    releases ??= startSimCluster({ scenario: 'scenarios/minimal.yaml' });
    return releases;
  };
  const worldOf = (argv: readonly string[], on: SimCluster, options: CaptureOptions) =>
    capture(argv, {
      ...options,
      home,
      env: { KUBECONFIG: on.kubeconfig, HOME: home, LOGTOOL_REPO_OFFLINE: 'true' },
      overrides: { workingDirectory: home, ...options.overrides },
    });
  const call = async (argv: readonly string[], on: SimCluster, ends?: (world: Capture) => boolean) => {
    const isStill = on === shop && ends === undefined;
    const world = worldOf(argv, on, { overrides: { clock: isStill ? clock : systemClock } });
    const ended = run(world.context);
    if (ends !== undefined) await until(ended, () => ends(world), world.controller);
    return { code: await ended, stdout: world.stdout(), stderr: world.stderr() };
  };
  return {
    home,
    logtool: (argv, ends) => call(argv, shop, ends),
    async pick(argv) {
      const input = new PassThrough();
      const keyboard = () => ({ input, rows: () => 24 });
      const world = worldOf(argv, shop, { terminal: true, overrides: { keyboard, clock } });
      const ended = run(world.context);
      await whenTrue(ended, () => world.stderr().includes('Enter opens'));
      input.write('\r');
      return { code: await ended, stdout: world.stdout(), stderr: world.stderr() };
    },

    async kubectl(argv) {
      const { kubeconfig } = await releaseCluster();
      const { exitCode, stderr } = await kubectl(argv, { kubeconfig, home });
      if (exitCode !== 0) throw new Error(`kubectl ${argv.join(' ')} ended with ${exitCode}\n${stderr}`);
    },

    async helm(argv) {
      const { kubeconfig } = await releaseCluster();
      const { exitCode, stderr } = await helm('4.1.4', argv, { kubeconfig, home, cwd: ROOT });
      if (exitCode !== 0) throw new Error(`helm ${argv.join(' ')} ended with ${exitCode}\n${stderr}`);
    },
    release: async (argv) => call(argv, await releaseCluster()),
    async close() {
      await shop.close();
      await (await releases)?.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Ends the command once it has printed enough, or has ended by itself. */
async function until(ended: Promise<unknown>, isEnough: () => boolean, controller: AbortController) {
  await whenTrue(ended, isEnough);
  controller.abort(new Stop(EXIT.interrupted, 'interrupted'));
}

async function whenTrue(ended: Promise<unknown>, isTrue: () => boolean): Promise<void> {
  let isOver = false;
  void ended.finally(() => {
    isOver = true;
  });
  while (!isOver && !isTrue()) await new Promise((resolve) => setTimeout(resolve, 10));
}
