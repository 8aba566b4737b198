import type { Browser, Page } from 'playwright-core';
import { type Figure, middle, times } from './figures.ts';
import { type Bench, openPage } from './start-bench.ts';
import type { Written } from './write-million.ts';

const PAGES = 20;
/** Lines show only the time of day. */
const DAY_MS = 86_400_000;
const CONSOLE = '/console?ctx=admin&src=bench:deployments/writer';

/** Measures jumps in pages that show a thousand lines from elsewhere in the log, so that each must read everything. */
export async function jumps(
  browser: Browser,
  bench: Bench,
  written: Written,
  rounds: number,
): Promise<Figure[]> {
  const start: number[] = [];
  const end: number[] = [];
  const time: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const share = (round + 0.5) / rounds;
    const at = new Date(written.firstMs + share * (written.lastMs - written.firstMs));
    start.push(await jumpByKey(browser, `${bench.origin}${CONSOLE}`, 'Home'));
    end.push(await jumpByKey(browser, `${bench.origin}${CONSOLE}&from=${at.toISOString()}`, 'End'));
    time.push(await jumpToTime(browser, bench, at));
  }
  return [
    times('jump to the beginning of 1,000,000 lines', start, 500),
    times('jump to the end', end, 500),
    times('jump to a time', time, 500),
  ];
}

async function openAtRest(browser: Browser, url: string) {
  const opened = await openPage(browser, url);
  await opened.page.locator('[data-kind="line"]').first().waitFor();
  await opened.page.waitForFunction(
    () => Number(document.querySelector<HTMLElement>('[data-rows-held]')?.dataset.rowsHeld) >= 1000,
  );
  return opened;
}

async function jumpByKey(browser: Browser, url: string, key: 'Home' | 'End'): Promise<number> {
  const { page, context } = await openAtRest(browser, url);
  await page.locator('.log-scroll').focus();
  await page.evaluate(() => window.probe.arm('keydown'));
  await page.keyboard.press(key);
  const ms = await page.evaluate((wanted) => {
    const isFirst = () => document.querySelector('.log-head')?.textContent === 'Beginning of logs';
    // The newest line is in view if the page follows and the last row has the highest index.
    const isLast = () => {
      const rows = document.querySelectorAll<HTMLElement>('[data-entry]');
      const total = Number(document.querySelector('.log-scroll')?.getAttribute('aria-rowcount'));
      return (
        document.querySelector('[data-following="true"]') !== null &&
        Number(rows[rows.length - 1]?.getAttribute('aria-rowindex')) === total
      );
    };
    return window.probe.sinceEvent(wanted === 'Home' ? isFirst : isLast);
  }, key);
  await context.close();
  return ms;
}

async function jumpToTime(browser: Browser, bench: Bench, at: Date): Promise<number> {
  const { page, context } = await openAtRest(browser, `${bench.origin}${CONSOLE}`);
  await page.getByRole('button', { name: /^Time range/ }).click();
  const field = page.getByRole('textbox', { name: 'Range' });
  await field.fill(at.toISOString());
  const beforeMs = await page.evaluate(() => {
    window.probe.arm('keydown');
    return window.probe.firstLineMs();
  });
  await field.press('Enter');
  // The first line at or after the time, which may belong to the next second: not one that was already shown.
  const ms = await page.evaluate(
    ({ atMs, dayMs, beforeMs }) => {
      const lagMs = (ms: number) => (ms - atMs + dayMs) % dayMs;
      return window.probe.sinceEvent(() => lagMs(window.probe.firstLineMs()) < lagMs(beforeMs));
    },
    { atMs: at.getTime() % DAY_MS, dayMs: DAY_MS, beforeMs },
  );
  await context.close();
  return ms;
}

/** Measures each of the first twenty older pages, from reaching the top until its lines are loaded. */
export async function olderPages(browser: Browser, bench: Bench): Promise<Figure[]> {
  const { page, context } = await openAtRest(browser, `${bench.origin}${CONSOLE}`);
  await page.locator('.log-scroll').focus();
  await page.keyboard.press('f');
  await page.locator('[data-following="false"]').waitFor();
  const tookMs: number[] = [];
  for (let number = 0; number < PAGES; number++) tookMs.push(await olderPage(page));
  await context.close();
  // A single page means little on a busy machine, so compare the last three with the first three.
  const first = middle(tookMs.slice(0, 3));
  const last = middle(tookMs.slice(-3));
  return [
    {
      what: 'the twentieth older page against the first',
      measured: `${(last / first).toFixed(2)} times (${Math.round(last)} ms, ${Math.round(first)} ms)`,
      limit: 'about 1',
      ratio: last / first,
    },
  ];
}

function olderPage(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const held = () => Number(document.querySelector<HTMLElement>('[data-rows-held]')?.dataset.rowsHeld);
    const before = held();
    const startMs = performance.now();
    const pane = document.querySelector<HTMLElement>('.log-scroll');
    if (pane !== null) pane.scrollTop = 0;
    const ms = (await window.probe.drawn(() => held() > before)) - startMs;
    // The page corrects the scrollbar after a pause without scrolling.
    await new Promise((resolve) => setTimeout(resolve, 400));
    return ms;
  });
}
