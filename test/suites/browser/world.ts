import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SimCluster, startSimCluster } from '@logtool/simcluster/src/start.ts';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { chromiumFlags, findChromium } from '../../support/browser/find-chromium.ts';
import { type SecretWatch, watchForSecrets } from '../../support/dashboard/secret-watch.ts';
import {
  type ServedDashboard,
  type ServeOptions,
  serveDashboard,
} from '../../support/dashboard/served-dashboard.ts';
import { openVisit, type Visit, type VisitOptions } from './visit.ts';

export interface WorldOptions {
  /** Path of a scenario file, or the scenario itself. */
  readonly scenario: unknown;
  /** `apart`: the test starts its own server. */
  readonly serve?: ServeOptions | 'apart';
}

/** A browser, the real server and a simulated cluster, shared by all tests of a file. */
export interface World {
  readonly browser: Browser;
  readonly cluster: SimCluster;
  readonly server: ServedDashboard;
  /** Opens a path of the dashboard in a fresh browser; closes it after the test. */
  visit(path: string, options?: VisitOptions): Promise<Visit>;
}

/**
 * Starts the world before the tests of the file; after them, checks that nothing sent contains credentials.
 */
export function openWorld({ scenario, serve }: WorldOptions): World {
  let world:
    | { browser: Browser; cluster: SimCluster; server: ServedDashboard; watch: SecretWatch }
    | undefined;
  let directory = '';
  const there = () => {
    if (world === undefined) throw new Error('the world has not started');
    return world;
  };
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'logtool-browser-'));
    const [browser, cluster] = await Promise.all([launchBrowser(), startSimCluster({ scenario })]);
    const watch = await watchForSecrets(cluster.kubeconfig);
    const server = await serveDashboard(cluster.kubeconfig, directory, watch, serve === 'apart' ? {} : serve);
    world = { browser, cluster, server, watch };
  });
  afterAll(async () => {
    const { browser, cluster, server, watch } = there();
    await browser.close();
    await server.stop();
    await cluster.close();
    await rm(directory, { recursive: true, force: true });
    expect(watch.leaks).toEqual([]);
    if (serve !== 'apart') expect(watch.bytes).toBeGreaterThan(0);
    expect(server.errors).toEqual([]);
  });
  return {
    get browser() {
      return there().browser;
    },

    get cluster() {
      return there().cluster;
    },

    get server() {
      return there().server;
    },
    visit: (path, options) => openVisit(there().browser, there().server.origin, path, options),
  };
}

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: await findChromium(), args: [...chromiumFlags()] });
}
