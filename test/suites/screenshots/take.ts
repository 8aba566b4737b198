// Takes docs/screenshots/: the pages on scenarios/shop.yaml, at a fixed moment, in both themes and two sizes.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { FakeClock } from '@logtool/kube/src/values/clock.ts';
import { startSimCluster } from '@logtool/simcluster/src/start.ts';
import { chromium, type Page, type Route } from 'playwright-core';
import { chromiumFlags, findChromium } from '../../support/browser/find-chromium.ts';
import { watchForSecrets } from '../../support/dashboard/secret-watch.ts';
import { serveDashboard } from '../../support/dashboard/served-dashboard.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const FOLDER = join(ROOT, 'docs/screenshots');
/** Ten in the morning, half an hour into the scenario's incident. */
const NOW_MS = Date.UTC(2026, 10, 21, 10);
const SIZES = [
  { width: 1440, height: 900 },
  { width: 375, height: 812 },
] as const;

/** The server's own clock is not shifted, and the page would say by how much it differs. */
const WITHOUT_DATE = `{
  const { get } = Headers.prototype;
  Headers.prototype.get = function (name) { return /^date$/i.test(name) ? null : get.call(this, name); };
}
`;

interface Shot {
  readonly name: string;
  readonly path: string;
  /** Brings the page into the state to show. */
  readonly show: (page: Page, isNarrow: boolean) => Promise<void>;
}

const SHOP = ['payment', 'checkout', 'api-gateway'].map((name) => `src=shop:deployments/${name}`).join('&');
async function lines(page: Page, isNarrow: boolean): Promise<void> {
  await page.locator('.log-scroll [data-kind="line"]').first().waitFor();
  // The chart has lines and opening has finished, so no more lines arrive by the thousand.
  if (!isNarrow) await page.locator('[data-buckets]:not([data-buckets="0"])').waitFor();
  if (!isNarrow) await page.getByText(/^0\/s now/).waitFor();
  // The last lines are counted as the clock advances.
  await page.waitForTimeout(2_000);
}

const SHOTS: readonly Shot[] = [
  {
    name: 'home',
    path: '/?ctx=admin&sort=-restarts',
    async show(page) {
      await page.locator('tbody tr[data-source]').first().waitFor();
      await page.locator('[data-source="shop:deployments/payment"] input').click();
      await page.locator('[data-source="shop:deployments/checkout"] input').click();
      await page.mouse.move(5, 5);
    },
  },
  { name: 'console', path: `/console?ctx=admin&${SHOP}`, show: lines },
  {
    name: 'json-tree',
    path: `/console?ctx=admin&src=shop:deployments/checkout`,
    async show(page, isNarrow) {
      await lines(page, isNarrow);
      await page.locator('[data-kind="line"][aria-expanded]').nth(5).locator('.message').click();
      await page.keyboard.press('Enter');
      await page.getByRole('list', { name: 'Fields' }).waitFor();
      await page.mouse.move(5, 5);
    },
  },
  {
    name: 'search',
    path: `/console?ctx=admin&${SHOP}&q=payment+-slow`,
    async show(page, isNarrow) {
      await lines(page, isNarrow);
      await page.locator('[data-search="done"]:not([data-hits="0"])').waitFor();
      await page.getByRole('searchbox', { name: 'Search in the logs' }).press('Shift+Enter');
      await page.getByRole('status', { name: 'Search' }).getByText(/ of /).waitFor();
    },
  },
  {
    name: 'search-fault',
    path: `/console?ctx=admin&${SHOP}&regex=1&q=timeout(`,
    async show(page, isNarrow) {
      await lines(page, isNarrow);
      await page.getByRole('alert').first().waitFor();
    },
  },
  {
    name: 'denied',
    path: '/?ctx=developer',
    async show(page) {
      await page.locator('.notice').first().waitFor();
      await page.locator('tbody tr[data-source]').first().waitFor();
    },
  },
  {
    name: 'denied-logs',
    path: '/console?ctx=developer&src=shop:deployments/payment&src=platform:daemonsets/*',
    async show(page, isNarrow) {
      await lines(page, isNarrow);
      await page.getByRole('region', { name: 'Problems' }).waitFor();
    },
  },
  {
    name: 'no-lines',
    path: '/console?ctx=admin&src=shop:deployments/payment&from=2020-01-01T00:00:00Z&to=2020-01-01T01:00:00Z',
    show: (page) => page.getByText(/^No lines in (?:this range|the readable part of this range)/).waitFor(),
  },
  {
    name: 'palette',
    path: '/?ctx=admin',
    async show(page) {
      await page.locator('tbody tr[data-source]').first().waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: /Go to/ }).fill('pay');
      await page.getByRole('option').first().waitFor();
    },
  },
];
const UNREACHABLE: Shot = {
  name: 'unreachable',
  path: '/?ctx=admin',
  show: (page) => page.getByRole('alert').getByRole('button', { name: 'Retry' }).waitFor(),
};

const only = process.argv.slice(2);
const directory = await mkdtemp(join(tmpdir(), 'logtool-screenshots-'));
const cluster = await startSimCluster({
  scenario: join(ROOT, 'scenarios/shop.yaml'),
  clock: new FakeClock(NOW_MS),
});
const browser = await chromium.launch({ executablePath: await findChromium(), args: [...chromiumFlags()] });
try {
  await mkdir(FOLDER, { recursive: true });
  const watch = await watchForSecrets(cluster.kubeconfig);
  const server = await serveDashboard(cluster.kubeconfig, directory, watch);
  for (const shot of SHOTS) await take(server.origin, shot);
  await server.stop();
  await cluster.stopServer();
  // A new server: the old one still knows the workloads and would show their last state.
  await server.start();
  await take(server.origin, UNREACHABLE);
  await server.stop();
} finally {
  await browser.close();
  await cluster.close();
  await rm(directory, { recursive: true, force: true });
}

/**
 * Shifts the worker's clock, which differs from the page's: otherwise current events would follow lines of
 * that moment.
 */
async function shiftWorker(route: Route): Promise<void> {
  const response = await route.fetch();
  const shift = `{ const { now } = Date; const ahead = ${NOW_MS} - now(); Date.now = () => now() + ahead; }\n`;
  const { 'content-encoding': _, 'content-length': __, ...headers } = response.headers();
  await route.fulfill({
    status: response.status(),
    headers,
    body: shift + WITHOUT_DATE + (await response.text()),
  });
}

async function take(origin: string, { name, path, show }: Shot): Promise<void> {
  if (only.length > 0 && !only.includes(name)) return;
  for (const viewport of SIZES) {
    for (const colorScheme of ['dark', 'light'] as const) {
      const context = await browser.newContext({
        viewport,
        colorScheme,
        timezoneId: 'UTC',
        locale: 'en-GB',
        reducedMotion: 'reduce',
      });
      await context.route(/\/assets\/main-[^/]+\.js$/, shiftWorker);
      await context.addInitScript(WITHOUT_DATE);
      const page = await context.newPage();
      // Ages start at that moment; from then on time passes.
      await page.clock.install({ time: NOW_MS });
      await page.goto(origin + path);
      await show(page, viewport.width < 700);
      await page.evaluate('document.fonts.ready.then(() => undefined)');
      await page.screenshot({ path: join(FOLDER, `${name}-${colorScheme}-${viewport.width}.png`) });
      await context.close();
    }
  }
  console.log(name);
}
