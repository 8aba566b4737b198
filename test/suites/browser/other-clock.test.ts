import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { consolePath } from './console-page.ts';
import { eventually } from './eventually.ts';
import { openWorld } from './world.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const world = openWorld({
  scenario: {
    seed: 1,
    namespace: 'shop',
    startDelays: 'none',
    backfill: '60m',
    namespaces: ['shop'],
    nodes: [{ name: 'node-a' }],
    workloads: [
      {
        kind: 'Pod',
        name: 'busy',
        containers: [{ name: 'app', logs: [{ format: 'logfmt', perSecond: 2 }] }],
      },
    ],
  },
});

/** Shifts the clock of a page and of its workers. */
async function shiftClock(page: Page, byMs: number): Promise<void> {
  const shift = `{ const now = Date.now.bind(Date); Date.now = () => now() + ${byMs}; }`;
  await page.addInitScript(shift);
  await page.route(/worker[^/]*\.js/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${shift}\n${await response.text()}` });
  });
}

/** How long ago a time of the day (UTC) was, ms. */
function agoMs(time: string): number {
  const today = new Date().toISOString().slice(0, 10);
  return (Date.now() - Date.parse(`${today}T${time}Z`) + DAY_MS) % DAY_MS;
}

test.each([
  [10, 'your clock is 10 min ahead'],
  [-10, 'your clock is 10 min behind'],
])(
  'in a browser whose clock is %i minutes ahead, the last 5 minutes are those of the server',
  async (minutes, text) => {
    const { page } = await world.visit(consolePath(['shop:pods/busy'], 'last=5m'), {
      prepare: (page) => shiftClock(page, minutes * MINUTE_MS),
    });
    await page.locator('.log-scroll [data-kind="line"]').first().waitFor();
    await page.locator('.status-bar').getByText(text, { exact: true }).waitFor();
    const scope = page.locator('.facet-scope');
    await eventually(() => scope.textContent()).toMatch(/^Counts in (\S+ )?\d\d:\d\d:\d\d to now$/);
    const [, from = ''] = /(\d\d:\d\d:\d\d) to now/.exec((await scope.textContent()) ?? '') ?? [];
    expect(agoMs(from)).toBeGreaterThanOrEqual(5 * MINUTE_MS - 2_000);
    expect(agoMs(from)).toBeLessThan(8 * MINUTE_MS);
    const lines = page.locator('[data-facet="container"] .facet-count');
    const count = async () =>
      Number((/^[\d,]+/.exec((await lines.textContent()) ?? '')?.[0] ?? '').replace(',', ''));
    await eventually(count).toBeGreaterThan(500);
    expect(await count()).toBeLessThan(1_000);
  },
);

test('a browser with the time of the server says nothing of clocks', async () => {
  const { page } = await world.visit(consolePath(['shop:pods/busy'], 'last=5m'));
  await page.locator('.log-scroll [data-kind="line"]').first().waitFor();
  expect(await page.getByText(/^your clock is/).count()).toBe(0);
});
