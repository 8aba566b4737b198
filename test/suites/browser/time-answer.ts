import type { Page } from 'playwright-core';

/**
 * Milliseconds from an input to the first frame whose `isAnswered` holds, seen from inside the page: neither the way to
 * the browser nor that back counts. `isAnswered` runs there and is given `arg`; it may use nothing else.
 */
export async function timeAnswer<A>(
  page: Page,
  type: () => Promise<unknown>,
  isAnswered: (arg: A) => boolean,
  arg: A,
): Promise<number> {
  // As text: the page's policy lets nothing be made from text inside of it.
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
