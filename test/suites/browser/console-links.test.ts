import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { log, openConsole, rowWith, settledAddress, shownRows } from './console-page.ts';
import { eventually } from './eventually.ts';
import { openWorld } from './world.ts';

const SOURCE = 'shop:deployments/pay';
const LINES = 3_000;
/** One line a second, the last one a minute ago. */
const startMs = Date.now() - (LINES + 60) * 1_000;

const world = openWorld({
  scenario: {
    seed: 1,
    namespace: 'shop',
    startDelays: 'none',
    namespaces: ['shop'],
    nodes: [{ name: 'a' }],
    users: [{ name: 'somebody' }],
    workloads: [
      {
        kind: 'Deployment',
        name: 'pay',
        containers: [
          {
            name: 'app',
            lines: Array.from({ length: LINES }, (_, index) => ({
              text: `request ${index}`,
              at: new Date(startMs + index * 1_000).toISOString(),
            })),
          },
        ],
      },
    ],
  },
});

const params = (page: Page) => new URL(page.url()).searchParams;
const middleText = async (page: Page) => {
  const rows = (await shownRows(page)).filter(({ kind }) => kind === 'line');
  return rows[Math.floor(rows.length / 2)]?.text;
};

/** Scrolls up and waits until the address names the line being read. */
async function readAbove(page: Page): Promise<void> {
  await log(page).hover();
  await page.mouse.wheel(0, -2_000);
  await eventually(() => page.locator('.console').getAttribute('data-following')).toBe('false');
  await eventually(() => params(page).get('line') ?? '').not.toBe('');
  // The wheel scrolls over several frames, and the address follows once the reader is still.
  await settledAddress(page);
}

test('the address names the row that is read, and a reload stays there', async () => {
  const { page } = await openConsole(world, [SOURCE]);
  await rowWith(page, `request ${LINES - 1}`).waitFor();
  expect(params(page).get('line')).toBeNull();
  await readAbove(page);
  const read = (await middleText(page)) ?? '';
  await page.reload();
  await rowWith(page, read).waitFor();
  expect(await page.locator('.console').getAttribute('data-following')).toBe('false');
  await eventually(() => middleText(page)).toBe(read);
  await log(page).focus();
  await page.keyboard.press('End');
  await eventually(() => page.locator('.console').getAttribute('data-following')).toBe('true');
  await eventually(() => params(page).get('line')).toBeNull();
});

test('in the last minutes too: their address and their links have absolute times', async () => {
  const { page } = await openConsole(world, [SOURCE], { query: 'last=30m' });
  await rowWith(page, `request ${LINES - 1}`).waitFor();
  expect(params(page).get('last')).toBe('30m');
  await rowWith(page, `request ${LINES - 1}`)
    .locator('.message')
    .click();
  await page.keyboard.press('l');
  await page.getByRole('status', { name: 'Result' }).getByText('Copied a link to this line').waitFor();
  const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  expect(link.searchParams.get('last')).toBeNull();
  const fromMs = Date.parse(link.searchParams.get('from') ?? '');
  expect(Math.abs(Date.now() - 30 * 60_000 - fromMs)).toBeLessThan(60_000);
  await readAbove(page);
  await eventually(() => params(page).get('last')).toBeNull();
  expect(params(page).get('from')).toBe(link.searchParams.get('from'));
  const held = await page.locator('.console').getAttribute('data-rows-held');
  const read = (await middleText(page)) ?? '';
  // The view is the same: nothing was loaded again.
  expect(Number(held)).toBeGreaterThanOrEqual(1_000);
  await page.reload();
  await rowWith(page, read).waitFor();
  const { page: fresh } = await world.visit(`${link.pathname}${link.search}`);
  await eventually(() => fresh.locator('.log-scroll .cur .message').textContent()).toBe(
    `request ${LINES - 1}`,
  );
});

test.each(['', 'last=30m'])('while lines arrive too: %s', async (query) => {
  const { page } = await openConsole(world, [SOURCE], { query });
  await rowWith(page, `request ${LINES - 1}`).waitFor();
  // Six lines a second, until the test ends.
  const writing = new AbortController();
  const write = async () => {
    for (let at = 0; !writing.signal.aborted; at++) {
      await world.cluster.control.writeLines({ workload: 'deployments/pay', text: [`new ${at}`] });
      await new Promise((resolve) => setTimeout(resolve, 160));
    }
  };
  const written = write();
  try {
    await page
      .locator('.log-scroll .message')
      .filter({ hasText: /^new \d/ })
      .first()
      .waitFor();
    await readAbove(page);
    if (query !== '') await eventually(() => params(page).get('from') ?? '').not.toBe('');
    expect(params(page).get('last')).toBeNull();
    await page.locator('[data-new-lines]').waitFor();
    const read = (await middleText(page)) ?? '';
    await page.reload();
    await rowWith(page, read).waitFor();
    await eventually(() => middleText(page)).toBe(read);
    expect(await page.locator('.console').getAttribute('data-following')).toBe('false');
  } finally {
    writing.abort();
    await written;
  }
});
