import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import type { ClusterControl } from '../../src/simcluster/control/cluster-control.ts';
import { chromiumFlags, findChromium } from '../../test/browser/find-chromium.ts';
import { installProbe } from './probe.ts';

/** A simulated cluster and the server that is shipped, each a process of its own. */
export interface Parts {
  readonly origin: string;
  readonly serverPid: number;
  /** Calls a function of the cluster's control. */
  control<N extends keyof ClusterControl>(
    name: N,
    argument: Parameters<ClusterControl[N]>[0],
  ): Promise<Awaited<ReturnType<ClusterControl[N]>>>;
  close(): Promise<void>;
}

/** Starts a scenario (a path, or the scenario itself) and `logtool serve` on it, from a build. */
export async function startParts(
  dist: string,
  scenario: object | string,
  nodeFlags: readonly string[] = [],
): Promise<Parts> {
  const directory = await mkdtemp(join(tmpdir(), 'logtool-bench-'));
  let path = scenario;
  if (typeof path !== 'string') {
    path = join(directory, 'scenario.yaml');
    await writeFile(path, JSON.stringify(scenario));
  }
  const cluster = spawn(process.execPath, [join(dist, 'simcluster.js'), path], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [kubeconfig = '', controlUrl = ''] = await Promise.all([
    said(cluster, 'stdout', /^(\S+)\n/),
    said(cluster, 'stderr', /control (\S+);/),
  ]);
  const server = spawn(
    process.execPath,
    [...nodeFlags, join(dist, 'cli.js'), 'serve', '--skip-open', '--kubeconfig', kubeconfig],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, HOME: directory } },
  );
  const origin = await said(server, 'stdout', /(http:\/\/localhost:\d+)\//);
  return {
    origin,
    serverPid: server.pid ?? 0,
    async control(name, argument) {
      const response = await fetch(`${controlUrl}/control/${name}`, {
        method: 'POST',
        body: JSON.stringify(argument ?? {}),
      });
      const body = (await response.json()) as { readonly result?: never; readonly error?: string };
      if (!response.ok) throw new Error(`${name}: ${body.error}`);
      return body.result as never;
    },
    async close() {
      await end(server, 'SIGINT');
      await end(cluster, 'SIGTERM');
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The first group of a pattern, once a process has printed it. */
function said(child: ChildProcess, stream: 'stdout' | 'stderr', pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    child[stream]?.on('data', (chunk: Buffer) => {
      text += chunk;
      const found = pattern.exec(text)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('close', (code) => reject(new Error(`it ended with ${code}: ${text}`)));
  });
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise((resolve) => child.once('close', resolve));
  child.kill(signal);
  await closed;
}

export async function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: await findChromium(), args: [...chromiumFlags()] });
}

/** A page in a browser that was never there: nothing is cached. */
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
