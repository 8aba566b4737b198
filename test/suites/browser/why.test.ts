import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSimCluster } from '@logtool/simcluster/src/start.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { watchForSecrets } from '../../support/dashboard/secret-watch.ts';
import { serveDashboard } from '../../support/dashboard/served-dashboard.ts';
import { patientClock } from '../../support/patient-clock.ts';
import { violationsOf } from './axe.ts';
import { eventually } from './eventually.ts';
import { openVisit, type VisitOptions } from './visit.ts';
import { launchBrowser } from './world.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
});

/** Opens a page of a cluster with this happening, and closes everything afterwards. */
async function withPage(
  happening: string | object,
  { path = '/', ...options }: VisitOptions & { readonly path?: string },
  check: (page: Page) => Promise<void>,
): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'logtool-browser-'));
  const cluster = await startSimCluster({
    scenario: typeof happening === 'string' ? `scenarios/happenings/${happening}.yaml` : happening,
  });
  const watch = await watchForSecrets(cluster.kubeconfig);
  const server = await serveDashboard(cluster.kubeconfig, directory, watch, {
    clock: patientClock(),
  });
  try {
    const { page } = await openVisit(browser, server.origin, path, options);
    await check(page);
    // Its streams end with the server.
    await page.context().close();
  } finally {
    await server.stop();
    await cluster.close();
    await rm(directory, { recursive: true, force: true });
  }
}

const dialog = (page: Page) => page.getByRole('dialog');
const ask = (page: Page, name: string) =>
  page.getByRole('button', { name: `Why? Why ${name} is in this state` });
const verdict = (page: Page) => dialog(page).locator('[data-verdict]').first();

/** Takes a picture for manual inspection. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.LOGTOOL_PICTURES;
  if (folder !== undefined) await page.screenshot({ path: join(folder, `why-${name}.png`) });
}

test.each([
  ['oom-container', 'web', 'oom-container', /OOMKilled: .*container app for memory, limit 256Mi/],
  ['crash-with-trace', 'pricing', 'crashed', /ended with exit code 1/],
  ['image-credentials', 'web', 'image-denied', /cannot pull image .*: the registry denies access/],
  ['unschedulable-cpu', 'reports', 'unschedulable', /No node fits: .*Insufficient cpu/],
  ['quota-exceeded', 'web', 'quota-exceeded', /[Qq]uota compute has no room for more pods/],
  ['missing-key', 'web', 'key-missing', /has no key/],
  ['readiness-503', 'catalog', 'probe-failing', /readiness probe fails/],
  ['job-deadline', 'report', 'deadline-exceeded', /ran longer than its deadline/],
] as const)(
  '%s is explained from the list of what needs a look',
  { timeout: 90_000 },
  (happening, name, code, text) =>
    withPage(happening, {}, async (page) => {
      await ask(page, name).click();
      await verdict(page).waitFor();
      expect(await verdict(page).getAttribute('data-verdict')).toBe(code);
      expect(await verdict(page).locator('h3').innerText()).toMatch(text);
      await picture(page, happening);
      await verdict(page).locator('.why-facts a').first().click();
      await dialog(page).waitFor({ state: 'detached' });
      // The log opens shortly before the event.
      const { searchParams, pathname } = new URL(page.url());
      expect(pathname).toBe('/console');
      expect(Date.parse(searchParams.get('from') ?? '')).toBeGreaterThan(Date.now() - 3 * 3_600_000);
    }),
);

test('each line of the proof leads to its row, from Home and from the log itself', { timeout: 90_000 }, () =>
  withPage('oom-container', {}, async (page) => {
    await ask(page, 'web').click();
    const line = verdict(page).locator('.why-lines a').last();
    const text = (await line.innerText()).replace(/^\S+ /, '');
    await line.click();
    const active = page.locator('.log-scroll .cur');
    await active.waitFor();
    const shown = async () => (await active.locator('.message').textContent()) ?? '';
    await eventually(shown).toContain(text);

    await ask(page, 'web').click();
    const first = verdict(page).locator('.why-lines a').first();
    const other = (await first.innerText()).replace(/^\S+ /, '');
    await first.click();
    await dialog(page).waitFor({ state: 'detached' });
    await eventually(shown).toContain(other);
    await picture(page, 'row');
  }),
);

test.each([
  ['oom-container', 'web'],
  ['image-credentials', 'web'],
  ['unschedulable-cpu', 'reports'],
  ['quota-exceeded', 'web'],
  ['readiness-503', 'catalog'],
  ['job-deadline', 'report'],
  ['liveness-kill', 'checkout'],
] as const)('each event of the proof of %s leads to its row', { timeout: 120_000 }, (happening, name) =>
  withPage(happening, {}, async (page) => {
    const home = page.url();
    await ask(page, name).click();
    await verdict(page).waitFor();
    const links = dialog(page).locator('.why-facts a');
    const count = await links.count();
    expect(count).toBeGreaterThan(0);
    for (let index = 0; index < count; index++) {
      const text = await links.nth(index).innerText();
      await links.nth(index).click();
      await dialog(page).waitFor({ state: 'detached' });
      const row = page.locator('.log-scroll .cur[data-kind="fact"][aria-current="location"]');
      await row.waitFor();
      const shown = `${text} -> ${await row.innerText()}`;
      expect(await row.innerText()).toContain(/\[(\w+)\]/.exec(text)?.[1] ?? text);
      const isInView = await row.evaluate((element) => {
        const [own, log] = [element, element.closest('.log-scroll')].map((each) =>
          each?.getBoundingClientRect(),
        );
        return own !== undefined && log !== undefined && own.top >= log.top && own.bottom <= log.bottom;
      });
      expect({ shown, isInView }).toEqual({ shown, isInView: true });
      await picture(page, `${happening}-${index}`);
      await page.goto(home);
      await ask(page, name).click();
      await verdict(page).waitFor();
    }
  }),
);

test('the keys open and close it, and the focus comes back', { timeout: 90_000 }, () =>
  withPage('oom-container', {}, async (page) => {
    await ask(page, 'web').focus();
    await page.keyboard.press('Enter');
    await verdict(page).waitFor();
    expect(await dialog(page).evaluate((element) => element.contains(document.activeElement))).toBe(true);
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    expect(await ask(page, 'web').evaluate((element) => element === document.activeElement)).toBe(true);
  }),
);

test.each(['dark', 'light'] as const)('a narrow window has room for it, %s', { timeout: 90_000 }, (theme) =>
  withPage('oom-container', { width: 390, height: 844, theme }, async (page) => {
    await ask(page, 'web').click();
    await verdict(page).waitFor();
    await picture(page, `390-${theme}`);
    const overflow = await dialog(page).evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    expect(await violationsOf(page)).toEqual([]);
  }),
);

const calm = { format: 'logfmt', perSecond: 0.1, messages: [{ text: 'request {int:1-900} done' }] };
const container = (...logs: readonly object[]) => [{ name: 'app', logs: [calm, ...logs] }];

/** Ready pods that write errors, and one that writes none. */
const ERRORS_IN_LOGS = {
  seed: 11,
  backfill: '40m',
  startDelays: 'none',
  namespace: 'shop',
  namespaces: ['shop'],
  nodes: [{ name: 'node-1' }],
  workloads: [
    {
      kind: 'Deployment',
      name: 'payment',
      containers: container(
        {
          format: 'plain',
          perSecond: 1,
          from: '-10m20s',
          limit: 1,
          messages: [{ level: 'warn', text: 'pool grows, pool.max=60 pool.leakDetection=off' }],
        },
        {
          format: 'logfmt',
          perSecond: 0.2,
          from: '-10m',
          messages: [{ level: 'error', text: 'charge failed: no connection' }],
        },
      ),
    },
    {
      kind: 'Deployment',
      name: 'gateway',
      containers: container({
        format: 'logfmt',
        perSecond: 0.2,
        from: '-9m',
        messages: [{ level: 'error', text: 'payment answers 503' }],
      }),
    },
    { kind: 'Deployment', name: 'catalog', containers: container() },
  ],
};

test('errors of logs are explained by workload, and each line leads to its row', { timeout: 90_000 }, () =>
  withPage(ERRORS_IN_LOGS, {}, async (page) => {
    const params = new URLSearchParams([
      ['ctx', 'admin'],
      ['src', 'shop:pods/*'],
    ]);
    await page.goto(new URL(`/console?${params}`, page.url()).href);
    const why = page.locator('.bar').getByRole('button', { name: /^Why\?/ });
    const active = page.locator('.log-scroll .cur .message');
    const workload = (name: string) => dialog(page).locator(`[data-workload="${name}"]`);
    for (const [name, lines, text] of [
      ['payment', 'new', 'pool grows, pool.max=60 pool.leakDetection=off'],
      ['payment', 'error', 'charge failed: no connection'],
      ['gateway', 'error', 'payment answers 503'],
    ] as const) {
      await why.click();
      const link = workload(name).locator(`[data-lines="${lines}"] a`).first();
      await link.waitFor();
      if (lines === 'new') await picture(page, 'log-errors');
      expect(await link.innerText()).toContain(text);
      const [first] = await dialog(page).locator('[data-workload]').all();
      expect(await first?.getAttribute('data-workload')).toBe('payment');
      await link.click();
      await dialog(page).waitFor({ state: 'detached' });
      await eventually(async () => (await active.textContent()) ?? '').toContain(text);
    }
    await why.click();
    await workload('gateway').waitFor();
    expect(await dialog(page).innerText()).toMatch(
      /1 other workload is healthy .*: catalog; no errors begin/,
    );
    expect(await violationsOf(page)).toEqual([]);
  }),
);

test('calls what runs well healthy, and states the proof and since what time', { timeout: 90_000 }, () =>
  withPage('noisy-but-healthy', {}, async (page) => {
    const source = await page.locator('tbody tr[data-source]').first().getAttribute('data-source');
    const params = new URLSearchParams([
      ['ctx', 'admin'],
      ['src', source ?? ''],
    ]);
    await page.goto(new URL(`/console?${params}`, page.url()).href);
    await page
      .locator('.bar')
      .getByRole('button', { name: /^Why\?/ })
      .click();
    const head = dialog(page).locator('.why-head');
    await head.waitFor();
    expect(await head.getAttribute('data-outcome')).toBe('healthy');
    expect(await head.innerText()).toMatch(
      /healthy according to the cluster since .*; there are [\d,]+ errors since .*, the last at .*, in the logs of 2 containers, which logtool read from/,
    );
    await picture(page, 'healthy');
  }),
);
