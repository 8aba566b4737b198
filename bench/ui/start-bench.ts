import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { chromiumFlags, findChromium } from '../../test/support/browser/find-chromium.ts';
import { type Control, controlAt } from '../cluster/control.ts';
import { end, printedMatch } from '../cluster/process.ts';
import { installProbe } from './probe.ts';

const SIMCLUSTER = join(import.meta.dirname, '../../scripts/run/simcluster.mjs');

/** A simulated cluster and the built server, each in its own process. */
export interface Bench {
  readonly origin: string;
  readonly serverPid: number;
  readonly kubeconfig: string;
  /** The folder of the cluster's logs. */
  readonly directory: string;
  readonly control: Control;
  close(): Promise<void>;
}

/** Starts a scenario (a path, or the scenario itself) and `logtool serve` on it, from a build. */
export async function startBench(
  dist: string,
  scenario: object | string,
  nodeFlags: readonly string[] = [],
): Promise<Bench> {
  const directory = await mkdtemp(join(tmpdir(), 'logtool-bench-'));
  let path = scenario;
  if (typeof path !== 'string') {
    path = join(directory, 'scenario.yaml');
    await writeFile(path, JSON.stringify(scenario));
  }
  const cluster = spawn(process.execPath, [SIMCLUSTER, '--directory', directory, path], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [kubeconfig = '', controlUrl = ''] = await Promise.all([
    printedMatch(cluster, 'stdout', /^(\S+)\n/),
    printedMatch(cluster, 'stderr', /control (\S+);/),
  ]);
  const server = spawn(
    process.execPath,
    [...nodeFlags, join(dist, 'start.cjs'), 'serve', '--skip-open', '--kubeconfig', kubeconfig],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: directory } },
  );
  const origin = await printedMatch(server, 'stdout', /(http:\/\/localhost:\d+)\//);
  return {
    origin,
    serverPid: server.pid ?? 0,
    kubeconfig,
    directory,
    control: controlAt(controlUrl),
    async close() {
      await end(server, 'SIGINT');
      await end(cluster, 'SIGTERM');
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export async function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: await findChromium(), args: [...chromiumFlags()] });
}

/** Opens a page in a new browser context, with an empty cache. */
export async function openPage(
  browser: Browser,
  url: string,
): Promise<{ readonly page: Page; readonly context: BrowserContext }> {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme: 'dark',
    timezoneId: 'UTC',
    locale: 'en-GB',
  });
  context.setDefaultTimeout(120_000);
  await context.addInitScript(installProbe);
  const page = await context.newPage();
  page.on('pageerror', (error) => {
    throw error;
  });
  await page.goto(url, { waitUntil: 'commit' });
  return { page, context };
}
