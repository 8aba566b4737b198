import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EXIT, Stop } from '../../src/cli/exit-codes.ts';
import { run } from '../../src/cli/run.ts';
import { type Capture, capture } from '../../src/cli/testing/capture.ts';
import { FakeClock, systemClock } from '../../src/domain/clock.ts';
import { type SimCluster, startSimCluster } from '../../src/simcluster/start.ts';

/** The time at which the pages are written: outputs have its lines. */
const NOON = Date.UTC(2026, 10, 22, 12);

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Where the commands of the pages run: the demo's shop at noon, a cluster for releases, a home of its own. */
export interface DocWorld {
  /** `ends`: aborted as by Ctrl-C once this is true of what was printed. */
  readonly logtool: (argv: readonly string[], ends?: (world: Capture) => boolean) => Promise<Ran>;
  /** The same on the cluster for releases, whose time goes on. */
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
  const call = async (argv: readonly string[], on: SimCluster, ends?: (world: Capture) => boolean) => {
    const isShop = on === shop;
    const world = capture(argv, {
      home,
      env: { KUBECONFIG: on.kubeconfig, HOME: home, LOGTOOL_REPO_OFFLINE: 'true' },
      overrides: { clock: isShop && ends === undefined ? clock : systemClock, workingDirectory: home },
    });
    const ended = run(world.context);
    if (ends !== undefined) await until(ended, () => ends(world), world.controller);
    return { code: await ended, stdout: world.stdout(), stderr: world.stderr() };
  };
  return {
    home,
    logtool: (argv, ends) => call(argv, shop, ends),
    release: async (argv) => call(argv, await releaseCluster()),
    async close() {
      await shop.close();
      await (await releases)?.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** Ends the command once enough is printed, or when it has ended by itself. */
async function until(ended: Promise<unknown>, isEnough: () => boolean, controller: AbortController) {
  let isOver = false;
  void ended.finally(() => {
    isOver = true;
  });
  while (!isOver && !isEnough()) await new Promise((resolve) => setTimeout(resolve, 10));
  controller.abort(new Stop(EXIT.interrupted, 'interrupted'));
}
