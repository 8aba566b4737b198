import type { Page } from 'playwright-core';

/**
 * Returns the milliseconds from an input to the first frame in which `isAnswered` holds, measured inside the
 * page, without the time to and from the browser. `isAnswered` runs in the page with `arg` and may use
 * nothing else.
 */
export async function timeAnswer<A>(
  page: Page,
  type: () => Promise<unknown>,
  isAnswered: (arg: A) => boolean,
  arg: A,
): Promise<number> {
  // Sent as text: the page's policy forbids evaluating text inside the page.
  await page.evaluate(`{
    const isAnswered = ${isAnswered.toString()};
    const given = ${JSON.stringify(arg) ?? 'undefined'};
    globalThis.took = new Promise((resolve) => {
      let startMs = 0;
      addEventListener('input', () => { startMs = performance.now(); }, { capture: true, once: true });
      const look = () => {
        if (startMs > 0 && isAnswered(given)) requestAnimationFrame(() => resolve(performance.now() - startMs));
        else requestAnimationFrame(look);
      };
      look();
    });
    undefined;
  }`);
  await type();
  return page.evaluate(() => (globalThis as unknown as { took: Promise<number> }).took);
}
