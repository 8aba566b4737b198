import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimCluster } from '@logtool/simcluster/src/start.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { watchForSecrets } from '../../support/dashboard/secret-watch.ts';
import { serveDashboard } from '../../support/dashboard/served-dashboard.ts';
import { eventually } from './eventually.ts';
import { openVisit } from './visit.ts';
import { launchBrowser } from './world.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
});

/** Opens the home page of a cluster with this happening, and closes everything afterwards. */
async function withHome(happening: string, check: (page: Page) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'logtool-browser-'));
  const cluster = await startSimCluster({ scenario: `scenarios/happenings/${happening}.yaml` });
  const watch = await watchForSecrets(cluster.kubeconfig);
  const server = await serveDashboard(cluster.kubeconfig, directory, watch, {});
  try {
    const { page } = await openVisit(browser, server.origin, '/', {});
    try {
      await check(page);
    } finally {
      // Its streams end with the server.
      await page.context().close();
    }
  } finally {
    await server.stop();
    await cluster.close();
    await rm(directory, { recursive: true, force: true });
  }
}

const problems = (page: Page) => page.locator('[data-problem]');

test.each([
  ['readiness-503', 'shop:deployments/catalog', /^2 of 2 pods not ready for (9|1\d) min$/, /statuscode: 503/],
  ['unschedulable-cpu', 'shop:deployments/reports', /^Unschedulable for 3\d min$/, /Insufficient cpu/],
  [
    'image-credentials',
    'shop:deployments/web',
    /^(ImagePullBackOff|ErrImagePull) for \d+ min$/,
    /403 Forbidden/,
  ],
  ['quota-exceeded', 'shop:deployments/web', /^FailedCreate for \d+ min$/, /exceeded quota: compute/],
  [
    'job-deadline',
    'shop:jobs/report',
    /^DeadlineExceeded \d+ (s|min) ago$/,
    /longer than specified deadline/,
  ],
  [
    'job-backoff',
    'shop:jobs/import',
    /^BackoffLimitExceeded: Error in 4 pods, last \d+ min ago, exit 2$/,
    /^$/,
  ],
  [
    'oom-container',
    'shop:deployments/web',
    /^CrashLoopBackOff: OOMKilled.* ago, limit 256Mi, exit 137, \d+ restarts$/,
    /statuscode: 503/,
  ],
  [
    'liveness-kill',
    'shop:deployments/checkout',
    /^CrashLoopBackOff: Error .* ago, exit 137 \(SIGKILL\), \d+ restarts$/,
    /^Liveness probe failed/,
  ],
  ['segfault', 'shop:deployments/encoder', /^Error \d+ min ago, exit 139 \(SIGSEGV\), 3 restarts$/, /^$/],
  [
    'missing-configmap',
    'shop:deployments/web',
    /^CreateContainerConfigError for 3\d min$/,
    /configmap "web-settings" not found/,
  ],
  ['node-lost', 'shop:deployments/web', /^NodeNotReady \d+ min ago$/, /^Node is not ready/],
  ['eviction', 'shop:deployments/cache', /^Evicted \d+ min ago$/, /low on resource: memory/],
])(
  'home triage: %s stands on top, with its reason and time',
  async (happening, source, what, why) => {
    await withHome(happening, async (page) => {
      const row = page.locator(`[data-problem][data-source="${source}"]`);
      await eventually(() => row.locator('.triage-what').innerText()).toMatch(what);
      await eventually(() => row.locator('.triage-why').textContent()).toMatch(why);
      expect(await problems(page).count()).toBe(1);
      const [above, list] = await Promise.all([row.boundingBox(), page.locator('tbody').boundingBox()]);
      expect(above?.y).toBeLessThan(list?.y ?? 0);
      const opened = page.getByRole('link', { name: 'Open it from 5 min before the first problem' });
      expect(await opened.getAttribute('href')).toMatch(/^\/console\?.*from=20/);
    });
  },
  120_000,
);

test.each(['noisy-but-healthy', 'readiness-blip', 'image-recovered', 'oom-child'])(
  'home triage: %s needs no look',
  async (happening) => {
    await withHome(happening, async (page) => {
      // Events arrive after the workloads; each row then shows its last event.
      const rows = page.locator('tbody tr');
      await rows.first().waitFor();
      await eventually(async () =>
        (await rows.allInnerTexts()).every((text) => /\w\s+· \d+ (s|min|h)$/.test(text.trim())),
      ).toBe(true);
      expect(await problems(page).count()).toBe(0);
    });
  },
  120_000,
);
