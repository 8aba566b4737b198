import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { eventually } from './eventually.ts';
import { listReady, rowOf, rowSources } from './home-page.ts';
import { SHOP } from './shop-scenario.ts';
import { openWorld } from './world.ts';

const world = openWorld({ scenario: SHOP });
const WEB = 'shop:deployments/web';
const DB = 'shop:statefulsets/db';

/** Returns when a pod became unready. */
function readiness({ status }: { readonly status?: unknown }): string {
  const { conditions = [] } = status as PodStatus;
  return (
    conditions.find(({ type, status }) => type === 'Ready' && status === 'False')?.lastTransitionTime ?? 'Z'
  );
}

interface PodStatus {
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: string;
    readonly lastTransitionTime?: string;
  }[];
}

/** Returns the positions of the header cells and the first rows. */
function geometry(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    const topOf = (element: Element) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [x, y, width, height].map(Math.round);
    };
    return {
      head: [...document.querySelectorAll('thead th')].map(topOf),
      rows: [...document.querySelectorAll('tbody tr.row')].slice(0, 4).map(topOf),
      bars: [...document.querySelectorAll('header, nav, main, footer')].map(topOf),
    };
  });
}

test('home 1: a skeleton has the final geometry', async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { page } = await world.visit('/?ctx=admin', {
    prepare: (page) =>
      page.route('**/workloads*', async (route) => {
        await released;
        await route.continue();
      }),
  });
  await page.locator('[data-skeleton] tbody tr').first().waitFor();
  const skeleton = await geometry(page);
  release();
  await listReady(page);
  expect(await geometry(page)).toEqual(skeleton);
  expect(await page.locator('[data-skeleton]').count()).toBe(0);
});

test('home 2: kinds of workloads have live counts, and zero is dimmed', async () => {
  const { page } = await world.visit('/?ctx=admin');
  await listReady(page);
  const counts = () =>
    page
      .locator('[data-kind]')
      .evaluateAll((items) =>
        Object.fromEntries(
          items.map((item) => [
            (item as HTMLElement).dataset.kind,
            Number(item.querySelector('.count')?.textContent),
          ]),
        ),
      );
  await eventually(counts).toMatchObject({
    all: 8,
    deployments: 4,
    statefulsets: 2,
    daemonsets: 1,
    jobs: 1,
    cronjobs: 0,
  });
  const before = await counts();
  const opacityOf = (kind: string) =>
    page.locator(`[data-kind="${kind}"]`).evaluate((item) => getComputedStyle(item).color);
  expect(await page.locator('[data-kind="cronjobs"]').getAttribute('data-zero')).toBe('true');
  expect(await opacityOf('cronjobs')).not.toBe(await opacityOf('deployments'));
  await world.cluster.control.scale({ workload: 'deployments/mailer', replicas: 3 });
  await eventually(async () => (await counts()).pods).toBe((before.pods ?? 0) + 2);
  await world.cluster.control.scale({ workload: 'deployments/mailer', replicas: 1 });
});

test('home 3: a row has name, namespace, ready and total pods, restarts and the last event', async () => {
  const { page } = await world.visit('/?ctx=admin');
  await eventually(() => rowOf(page, WEB).locator('.c-pods').innerText()).toBe('3/3');
  expect(await rowOf(page, WEB).locator('.row-link').innerText()).toBe('web');
  expect(await rowOf(page, WEB).locator('.c-namespace').innerText()).toBe('shop');
  expect(await rowOf(page, WEB).locator('.c-kind').innerText()).toBe('Deployment');
  expect(await rowOf(page, 'shop:deployments/broken').locator('.c-pods').innerText()).toBe('0/1');
  await rowOf(page, 'shop:deployments/broken').getByText('ImagePullBackOff').waitFor();
  await world.cluster.control.crashContainer({ workload: 'deployments/web', index: 0 });
  await rowOf(page, WEB)
    .getByText(/^1 restart$/)
    .waitFor();
  await eventually(() => rowOf(page, WEB).locator('.c-event').innerText()).toMatch(/^\w+\s*·\s*\d+ (s|min)$/);
});

test('home 4: the sparkline stacks errors and has a text alternative', async () => {
  // Without an agent nothing provides sparklines: the test sends its part of the contract to the page.
  const lines = Array.from({ length: 30 }, (_, minute) => 10 + minute);
  const errors = lines.map((_, minute) => (minute < 15 ? 0 : 5));
  const workload = {
    id: 'one',
    kind: 'deployments',
    kindName: 'Deployment',
    namespace: 'shop',
    name: 'measured',
    podsReady: 1,
    podsTotal: 1,
    restarts: 0,
    isFailing: false,
    createdAt: new Date().toISOString(),
    agent: { sizeBytes: 24_100_000, lastLineAt: new Date().toISOString(), lines, errors },
  };
  const frames = [{ type: 'snapshot', workloads: [workload], pods: 1 }, { type: 'synced' }];
  const { page } = await world.visit('/?ctx=admin', {
    prepare: (page) =>
      page.route('**/workloads*', (route) =>
        route.fulfill({
          contentType: 'application/x-ndjson',
          body: frames.map((frame) => `${JSON.stringify(frame)}\n`).join(''),
        }),
      ),
  });
  const spark = page.getByRole('img', { name: /^Last 30 minutes: / });
  await spark.waitFor();
  expect(await spark.getAttribute('aria-label')).toBe(
    'Last 30 minutes: 735 lines, 75 errors, at most 39 lines in a minute',
  );
  const colors = await spark
    .locator('path')
    .evaluateAll((paths) =>
      paths.map((path) => [(path.getAttribute('d') ?? '').length > 0, getComputedStyle(path).fill]),
    );
  expect(colors.map(([isDrawn]) => isDrawn)).toEqual([true, true]);
  expect(colors[0]?.[1]).not.toBe(colors[1]?.[1]);
  // Stacked: if a minute has both, its errors are on top and end where the other lines begin.
  const last = await spark.evaluate((svg) => {
    const bars = [...svg.querySelectorAll('path')].map((path) => {
      const bar = (path.getAttribute('d') ?? '').split('M').at(-1) ?? '';
      const [, x, y, height] = /^(\d+) (\d+)h3v(\d+)/.exec(bar) ?? [];
      return { x: Number(x), y: Number(y), height: Number(height) };
    });
    return bars;
  });
  const [lineBar, errorBar] = last;
  expect(errorBar?.x).toBe(lineBar?.x);
  expect((errorBar?.y ?? 0) + (errorBar?.height ?? 0)).toBe(lineBar?.y);
  expect(await rowOf(page, 'shop:deployments/measured').locator('.c-size').innerText()).toBe('24.1 MB');
});

test('home 5: changes arrive live, without re-sorting under the pointer', async () => {
  const { page } = await world.visit('/?ctx=admin&sort=-restarts');
  await listReady(page);
  await rowOf(page, 'shop:deployments/cart').hover();
  const before = await rowSources(page);
  for (let times = 0; times < 3; times++) {
    const restarts = await rowOf(page, DB).locator('.c-restarts').innerText();
    await world.cluster.control.crashContainer({ workload: 'statefulsets/db', index: times % 2 });
    await eventually(() => rowOf(page, DB).locator('.c-restarts').innerText()).not.toBe(restarts);
    // A container in backoff cannot crash: it must run again first.
    if (times === 1) break;
  }
  expect(await rowSources(page)).toEqual(before);
  await page.mouse.move(5, 5);
  await eventually(async () => (await rowSources(page))[0]).toBe(DB);
});

test('home 6: without a source of sizes and activity there is no column for them, and no mention', async () => {
  const { page } = await world.visit('/?ctx=admin');
  await listReady(page);
  const heads = await page.getByRole('columnheader').allInnerTexts();
  expect(heads.map((text) => text.replace(/ [↑↓]$/, ''))).toEqual([
    '',
    'Name',
    'Namespace',
    'Kind',
    'Pods',
    'Restarts',
    'Last event',
  ]);
  expect(await page.getByText(/agent that|in-cluster agent/).count()).toBe(0);
});

test('home triage: what is broken stands on top with its reason, what is done or idle does not', async () => {
  await world.cluster.control.scale({ workload: 'deployments/mailer', replicas: 0 });
  const { page } = await world.visit('/?ctx=admin&ns=shop');
  const triage = page.getByRole('region', { name: /^Needs a look/ });
  const problem = (source: string) => triage.locator(`[data-source="${source}"]`);
  const broken = problem('shop:deployments/broken');
  await eventually(() => broken.locator('.triage-what').innerText()).toMatch(
    /^(ImagePullBackOff|ErrImagePull) for \d+ (s|min)$/,
  );
  expect(await broken.locator('.triage-why').innerText()).toMatch(/registry\.example\.com.*no such host/);
  await world.cluster.act({ action: 'oom', workload: 'deployments/cart', index: 0 });
  const cart = problem('shop:deployments/cart');
  await eventually(() => cart.locator('.triage-what').innerText()).toMatch(
    /OOMKilled \d+ s ago, limit 256Mi, exit 137$/,
  );
  const sources = await triage
    .getByRole('listitem')
    .evaluateAll((items) => items.map((item) => (item as HTMLElement).dataset.source ?? ''));
  await page.getByRole('heading', { name: `Needs a look (${sources.length})` }).waitFor();
  expect(sources).not.toContain('shop:jobs/migrate');
  expect(sources).not.toContain('shop:deployments/mailer');
  // The list below does not move while the pointer is on it.
  await rowOf(page, WEB).hover();
  const before = await rowOf(page, WEB).boundingBox();
  await world.cluster.act({ action: 'oom', workload: 'daemonsets/agent', index: 0 });
  await rowOf(page, 'shop:daemonsets/agent')
    .getByText(/^1 restart$/)
    .waitFor();
  expect(await rowOf(page, WEB).boundingBox()).toEqual(before);
  await page.mouse.move(5, 5);
  await problem('shop:daemonsets/agent').waitFor();
  const opened = page.waitForURL(/\/console\?/);
  await triage.getByRole('link', { name: 'Open these from 5 min before the first problem' }).click();
  await opened;
  const { searchParams } = new URL(page.url());
  expect(searchParams.getAll('src')).toEqual(expect.arrayContaining(['shop:deployments/broken']));
  const since = Date.parse(world.cluster.store.list('pods', 'shop').map(readiness).sort()[0] ?? '');
  expect(Date.parse(searchParams.get('from') ?? '')).toBe(since - 5 * 60_000);
  await world.cluster.control.scale({ workload: 'deployments/mailer', replicas: 1 });
});

test('home 9: headers sort, and say so with aria-sort', async () => {
  const { page } = await world.visit('/?ctx=admin');
  await listReady(page);
  const header = (name: string) => page.getByRole('columnheader', { name, exact: true });
  expect(await header('Name').getAttribute('aria-sort')).toBe('ascending');
  const upward = await rowSources(page);
  await header('Name').getByRole('button').click();
  await page.mouse.move(5, 5);
  await eventually(() => rowSources(page)).toEqual(upward.toReversed());
  expect(await header('Name').getAttribute('aria-sort')).toBe('descending');
  await header('Namespace').getByRole('button').click();
  await eventually(() => header('Namespace').getAttribute('aria-sort')).toBe('ascending');
  expect(await header('Name').getAttribute('aria-sort')).toBe('none');
  await eventually(async () => (await rowSources(page))[0]).toBe('data:statefulsets/kafka');
});
