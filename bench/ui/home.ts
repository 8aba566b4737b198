import type { Browser, Page } from 'playwright-core';
import { type Figure, smoothness, times } from './figures.ts';
import { openPage, type Parts } from './parts.ts';
import type { Seen } from './probe.ts';
import { tasksOf } from './tracing.ts';

const UPDATES_MS = 10_000;

/** The home page of a cluster of 10,000 pods: until it can be used, and while pods come and go. */
export async function home(browser: Browser, parts: Parts, rounds: number): Promise<Figure[]> {
  const [coldMs = 0] = [await interactive(browser, parts)];
  const warmMs: number[] = [];
  for (let round = 0; round < rounds; round++) warmMs.push(await interactive(browser, parts));
  return [
    times('home page with 10,000 pods interactive', warmMs, 1000),
    {
      what: 'the same, the first page after the server started (it reads the cluster)',
      measured: `${Math.round(coldMs)} ms`,
      limit: '1000 ms',
      ratio: coldMs / 1000,
    },
    ...(await updates(browser, parts)),
  ];
}

/** From the navigation until rows are there and a letter typed into the search is answered. */
async function interactive(browser: Browser, parts: Parts): Promise<number> {
  const { page, context } = await openPage(browser, 'about:blank');
  await page.goto(`${parts.origin}/`, { waitUntil: 'commit' });
  const ms = await page.evaluate(() => {
    const link = () => document.querySelector('tbody tr[data-source] .row-link');
    const pods = () => /10,0\d\d pods/.test(document.body.textContent ?? '');
    return window.probe.drawn(() => link() !== null && pods());
  });
  await context.close();
  return ms;
}

async function updates(browser: Browser, parts: Parts): Promise<Figure[]> {
  const { page, context } = await openPage(browser, `${parts.origin}/`);
  await page.locator('tbody tr[data-source]').first().waitFor();
  let isOver = false;
  const churning = (async () => {
    for (let turn = 0; !isOver; turn++) {
      const workload = `deployments/service-${(turn % 90) * 10 + 1}`;
      await parts.control('crashContainer', { namespace: 'team-1', workload, index: turn % 5 });
      await parts.control('scale', { namespace: 'team-1', workload, replicas: 9 + (turn % 3) });
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
