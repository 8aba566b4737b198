import type { Browser } from 'playwright-core';
import { type Figure, times } from './figures.ts';
import { type Bench, openPage } from './start-bench.ts';

const CASES = [
  ['one', 1, 300],
  ['three', 3, 300],
  ['six', 6, 300],
  ['hundred', 100, 1000],
] as const;

/** Measures from the click on a workload to the frame that shows its first line, in a browser with an empty cache. */
export async function firstRow(browser: Browser, bench: Bench, rounds: number): Promise<Figure[]> {
  const samples = CASES.map((): number[] => []);
  // In turn, so that a temporarily busy machine affects all cases.
  for (let round = 0; round < rounds; round++) {
    for (const [index, [name]] of CASES.entries()) samples[index]?.push(await openOnce(browser, bench, name));
  }
  return CASES.map(([, containers, limitMs], index) =>
    times(
      `first row after the click, ${containers} container${containers === 1 ? '' : 's'}`,
      samples[index] ?? [],
      limitMs,
    ),
  );
}

/** The minimum time that a person needs between reaching the row and clicking. */
const HOVER_MS = 150;

async function openOnce(browser: Browser, bench: Bench, name: string): Promise<number> {
  const { page, context } = await openPage(browser, `${bench.origin}/`);
  const link = page.locator(`tr[data-source="bench:deployments/${name}"] .row-link`);
  await link.waitFor();
  await link.hover();
  await page.waitForTimeout(HOVER_MS);
  await page.evaluate(() => window.probe.arm('click'));
  await link.click();
  const ms = await page.evaluate(() =>
    window.probe.sinceEvent(() => document.querySelector('[data-kind="line"]') !== null),
  );
  await context.close();
  return ms;
}
