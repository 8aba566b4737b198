import type { Browser, Page } from 'playwright-core';
import { type Figure, middle, smoothness, times } from './figures.ts';
import type { Seen } from './probe.ts';
import { type Bench, openPage } from './start-bench.ts';
import { tasksOf } from './tracing.ts';

const UPDATES_MS = 10_000;

/** Measures the home page of a cluster with 10,000 pods: until it is usable, and while pods come and go. */
export async function home(browser: Browser, bench: Bench, rounds: number): Promise<Figure[]> {
  const cold = await interactive(browser, bench);
  const warm: Opening[] = [];
  for (let round = 0; round < rounds; round++) warm.push(await interactive(browser, bench));
  return [
    times(
      'home page with 10,000 pods interactive: rows are there and a search is answered',
      warm.map(({ usableMs }) => usableMs),
      1000,
    ),
    {
      what: 'the same, all pods counted',
      measured: `${Math.round(middle(warm.map(({ wholeMs }) => wholeMs)))} ms`,
    },
    {
      what: 'the first page after the server started, which reads the cluster: interactive',
      measured: `${Math.round(cold.usableMs)} ms (all pods counted: ${Math.round(cold.wholeMs)} ms)`,
      limit: '1000 ms',
      ratio: cold.usableMs / 1000,
    },
    ...(await updates(browser, bench)),
  ];
}

/** Times since the navigation. */
interface Opening {
  readonly usableMs: number;
  readonly wholeMs: number;
}

async function interactive(browser: Browser, bench: Bench): Promise<Opening> {
  const { page, context } = await openPage(browser, 'about:blank');
  await page.goto(`${bench.origin}/`, { waitUntil: 'commit' });
  const rowsMs = await page.evaluate(() =>
    window.probe.drawn(() => document.querySelector('tbody tr[data-source] .row-link') !== null),
  );
  const whole = page.evaluate(() =>
    window.probe.drawn(() => /10,0\d\d pods/.test(document.querySelector('.status-bar')?.textContent ?? '')),
  );
  await page.evaluate(() => window.probe.arm('input'));
  await page.getByRole('searchbox', { name: 'Find a workload' }).fill('service-99');
  const answerMs = await page.evaluate(() =>
    window.probe.sinceEvent(
      () => document.querySelector('tbody tr[data-source] .row-link mark')?.textContent === 'service-99',
    ),
  );
  const wholeMs = await whole;
  await context.close();
  return { usableMs: rowsMs + answerMs, wholeMs };
}

async function updates(browser: Browser, bench: Bench): Promise<Figure[]> {
  const { page, context } = await openPage(browser, `${bench.origin}/`);
  await page.locator('tbody tr[data-source]').first().waitFor();
  let isOver = false;
  const churning = (async () => {
    for (let turn = 0; !isOver; turn++) {
      const workload = `deployments/service-${(turn % 90) * 10 + 1}`;
      // Another pod each time around: one that crashed a moment ago does not run yet.
      const index = (turn + Math.floor(turn / 90)) % 9;
      await bench.control('crashContainer', { namespace: 'team-1', workload, index });
      await bench.control('scale', { namespace: 'team-1', workload, replicas: 9 + (turn % 3) });
    }
  })();
  let seen: Seen | undefined;
  const tasks = await tasksOf(browser, page, async () => {
    await page.evaluate(() => window.probe.start());
    await wait(page, UPDATES_MS);
    seen = await page.evaluate(() => window.probe.stop());
  });
  isOver = true;
  await churning;
  await context.close();
  if (seen === undefined) throw new Error('nothing was seen');
  return smoothness('home page while pods restart, come and go', seen, tasks);
}

function wait(page: Page, ms: number): Promise<unknown> {
  return page.evaluate((waitMs) => new Promise((resolve) => setTimeout(resolve, waitMs)), ms);
}
