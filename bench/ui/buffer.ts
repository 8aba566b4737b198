import type { Browser, Page } from 'playwright-core';
import { type Figure, times } from './figures.ts';
import { pageMemory } from './memory.ts';
import { type Bench, openPage } from './start-bench.ts';
import { tasksOf } from './tracing.ts';
import { LINES_BEFORE, LINES_PER_SECOND, type Written, writeMillion } from './write-million.ts';

const LIMIT_BYTES = 600_000_000;
const SEARCHES = ['request 77777 ', 'error', 'INFO done', 'nothing-like-this', 'klmnop'];

/**
 * Writes a million lines at 50,000 a second while a page follows them; then measures their memory, and searches over
 * them.
 */
export async function buffer(
  browser: Browser,
  bench: Bench,
  lines: number,
): Promise<{ readonly figures: Figure[]; readonly written: Written }> {
  const { page, context } = await openPage(
    browser,
    `${bench.origin}/console?ctx=admin&src=bench:deployments/writer`,
  );
  await held(page, LINES_BEFORE);
  const before = await pageMemory(browser);
  await page.evaluate(() => window.probe.start());
  const written = await writeMillion(bench, lines);
  const kept = await held(page, written.lines);
  const lagMs = Date.now() - written.lastMs;
  const seen = await page.evaluate(() => window.probe.stop());
  const after = await pageMemory(browser);
  const figures: Figure[] = [
    {
      what: `lines that arrived of those written at ${Math.round(written.perSecond).toLocaleString('en')} lines/s`,
      measured: `${kept.toLocaleString('en')} of ${written.lines.toLocaleString('en')}, the last ${lagMs} ms after it was written`,
      limit: 'all, at 50,000 lines/s',
      ratio: Math.max(LINES_PER_SECOND / written.perSecond, written.lines / kept),
    },
    {
      what: 'while they arrive: frames a second',
      measured: `${((seen.frameGaps.length * 1000) / seen.ms).toFixed(1)}, ${seen.longTasks.length} tasks over 50 ms`,
    },
    {
      what: `memory of page and worker with ${kept.toLocaleString('en')} lines of 150 bytes`,
      measured: `${mb(after.resident)} resident, ${mb(after.own)} of it their own; before: ${mb(before.resident)}, ${mb(before.own)}`,
      limit: mb(LIMIT_BYTES),
      ratio: after.resident / LIMIT_BYTES,
    },
  ];
  figures.push(...(await searches(browser, page)));
  await context.close();
  return { figures, written };
}

/** Resolves to the number of loaded lines, once it is at least `lines`. */
async function held(page: Page, lines: number): Promise<number> {
  const reached = await page.waitForFunction(
    (wanted) => {
      const now = Number(document.querySelector<HTMLElement>('[data-rows-held]')?.dataset.rowsHeld);
      return now >= wanted ? now : false;
    },
    lines,
    { polling: 50, timeout: 300_000 },
  );
  return Number(await reached.jsonValue());
}

async function searches(browser: Browser, page: Page): Promise<Figure[]> {
  const tookMs: number[] = [];
  const gaps: number[] = [];
  const tasks = await tasksOf(browser, page, async () => {
    for (const text of SEARCHES) {
      await page.locator('[data-search-field]').fill('');
      await page.locator('[data-search]').waitFor({ state: 'detached' });
      await page.evaluate(() => window.probe.start());
      await page.evaluate(() => window.probe.arm('input'));
      await page.locator('[data-search-field]').fill(text);
      tookMs.push(
        await page.evaluate(() =>
          window.probe.sinceEvent(() => document.querySelector('[data-search="done"]') !== null),
        ),
      );
      gaps.push(...(await page.evaluate(() => window.probe.stop())).frameGaps);
    }
  });
  const longestMs = Math.max(...tasks);
  return [
    times('search over them, from the key to the count', tookMs, 500),
    {
      what: 'longest task of the page while it searches',
      measured: `${Math.round(longestMs)} ms; longest gap between frames ${Math.round(Math.max(...gaps))} ms`,
      limit: '50 ms',
      ratio: longestMs / 50,
    },
  ];
}

function mb(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}
