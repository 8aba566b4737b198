import type { Browser } from 'playwright-core';
import type { Figure } from './figures.ts';
import { type Bench, openPage } from './start-bench.ts';

const LIMIT_BYTES = 200_000;

/**
 * Measures bytes over the wire, including headers, until the home page is idle, with an empty cache; without the
 * console.
 */
export async function firstLoad(browser: Browser, bench: Bench): Promise<Figure[]> {
  const { page, context } = await openPage(browser, 'about:blank');
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  let bytes = 0;
  let requests = 0;
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
    requests++;
  });
  await page.goto(`${bench.origin}/`);
  await page.locator('tbody tr[data-source]').first().waitFor();
  // Prefetched files count too.
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1_500)));
  await context.close();
  return [
    {
      what: 'first load of the home page, compressed, fonts included',
      measured: `${(bytes / 1000).toFixed(0)} KB in ${requests} answers`,
      limit: `${LIMIT_BYTES / 1000} KB`,
      ratio: bytes / LIMIT_BYTES,
    },
  ];
}
