import type { Browser, Page } from 'playwright-core';
import { type Figure, smoothness } from './figures.ts';
import type { Seen } from './probe.ts';
import { LINE, STRUCTURED_LINE, WRITERS } from './scenario.ts';
import { type Bench, openPage } from './start-bench.ts';
import { tasksOf } from './tracing.ts';

const PER_SECOND = 10_000;
const MEASURED_MS = 10_000;

/** Measures following, then scrolling up and down, at 10,000 lines a second: plain ones, and structured ones. */
export async function follow(browser: Browser, bench: Bench): Promise<Figure[]> {
  return [
    ...(await followLines(browser, bench, { text: LINE, name: 'lines/s' })),
    ...(await followLines(browser, bench, { text: STRUCTURED_LINE, name: 'structured lines/s' })),
  ];
}

async function followLines(
  browser: Browser,
  bench: Bench,
  { text, name }: { readonly text: string; readonly name: string },
): Promise<readonly Figure[]> {
  const { page, context } = await openPage(
    browser,
    `${bench.origin}/console?ctx=admin&src=bench:deployments/talker`,
  );
  await page.locator('[data-kind="line"]').first().waitFor();
  const seconds = (2 * MEASURED_MS) / 1000 + 10;
  const target = { workload: 'deployments/talker', text, perSecond: PER_SECOND / WRITERS };
  const writing = bench.control('writeBurst', { ...target, count: (PER_SECOND / WRITERS) * seconds });
  await page.locator('[data-rows-held]').evaluate(
    (console_) =>
      new Promise<void>((resolve) => {
        const check = () =>
          Number((console_ as HTMLElement).dataset.rowsHeld) > 20_000 ? resolve() : setTimeout(check, 50);
        check();
      }),
  );
  const followed = await seenDuring(browser, page, () =>
    page.evaluate((ms) => new Promise((resolve) => setTimeout(resolve, ms)), MEASURED_MS),
  );
  const isFollowing = (await page.locator('[data-following="true"]').count()) === 1;
  const scrolled = await seenDuring(browser, page, () => scroll(page));
  await writing;
  await context.close();
  if (!isFollowing) throw new Error('the page did not follow any more');
  return [
    ...smoothness(`following 10,000 ${name}`, followed.seen, followed.tasks),
    share(`following 10,000 ${name}`, followed.busyShare),
    ...smoothness(`scrolling while 10,000 ${name} come`, scrolled.seen, scrolled.tasks),
    share(`scrolling while 10,000 ${name} come`, scrolled.busyShare),
  ];
}

/** Reports the CPU time of the page itself, which does not depend on other load of the machine. */
function share(what: string, busyShare: number): Figure {
  return {
    what: `${what}: processor time of the page's main thread`,
    measured: `${Math.round(busyShare * 100)}% of one core`,
  };
}

async function seenDuring(
  browser: Browser,
  page: Page,
  run: () => Promise<unknown>,
): Promise<{ readonly seen: Seen; readonly tasks: readonly number[]; readonly busyShare: number }> {
  let seen: Seen | undefined;
  let busyShare = 0;
  const tasks = await tasksOf(browser, page, async () => {
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    const threadSeconds = async () =>
      (await devtools.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'ThreadTime')
        ?.value ?? Number.NaN;
    await page.evaluate(() => window.probe.start());
    const before = await threadSeconds();
    await run();
    const after = await threadSeconds();
    seen = await page.evaluate(() => window.probe.stop());
    busyShare = ((after - before) * 1000) / seen.ms;
    await devtools.detach();
  });
  if (seen === undefined) throw new Error('nothing was seen');
  return { seen, tasks, busyShare };
}

/** Scrolls as on a touch pad: up for a while, then down, at 4,000 pixels a second. */
async function scroll(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const { x, y, width, height } = (await page.locator('.log-scroll').boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  };
  const speed = 4_000;
  const yDistance = (speed * MEASURED_MS) / 1000 / 4;
  for (const direction of [1, 1, -1, -1]) {
    await devtools.send('Input.synthesizeScrollGesture', {
      x: Math.round(x + width / 2),
      y: Math.round(y + height / 2),
      yDistance: direction * yDistance,
      speed,
      gestureSourceType: 'mouse',
    });
  }
  await devtools.detach();
}
