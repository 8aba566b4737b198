import type { Page } from 'playwright-core';

/**
 * Milliseconds from an input to the first frame whose `isAnswered` holds, seen from inside the page: neither the way to
 * the browser nor that back counts. `isAnswered` is run there, with `arg`.
 */
export async function timeAnswer<A>(
  page: Page,
  type: () => Promise<unknown>,
  isAnswered: (arg: A) => boolean,
  arg: A,
): Promise<number> {
  await page.evaluate(
    ([source, given]) => {
      const isThere = new Function(`return (${source})`)() as (arg: unknown) => boolean;
      const took = new Promise<number>((resolve) => {
        let startMs = 0;
        const begin = () => {
          startMs = performance.now();
        };
        addEventListener('input', begin, { capture: true, once: true });
        const look = () => {
          if (startMs > 0 && isThere(given))
            requestAnimationFrame(() => resolve(performance.now() - startMs));
          else requestAnimationFrame(look);
        };
        look();
      });
      Object.assign(globalThis, { took });
    },
    [isAnswered.toString(), arg] as const,
  );
  await type();
  return page.evaluate(() => (globalThis as unknown as { took: Promise<number> }).took);
}
