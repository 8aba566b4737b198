import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { log, openConsole, rowWith } from './console-page.ts';
import { eventually } from './eventually.ts';
import { shopOf } from './shop-of.ts';
import { openWorld } from './world.ts';

const START_MS = Date.now() - 60_000;
const LINES = [
  'level=info msg="order placed" user=ada duration_ms=12 route=/checkout/orders/of/somebody',
  'level=error msg="payment failed: no answer from the bank after 30 s" error="deadline exceeded"',
  'level=error msg="payment refused" code=51',
  'level=info msg="the end"',
];
const world = openWorld({
  scenario: shopOf([
    {
      kind: 'Deployment',
      name: 'pay',
      containers: [
        {
          name: 'app',
          lines: LINES.map((text, index) => ({ text, at: new Date(START_MS + index * 1_000).toISOString() })),
        },
      ],
    },
    {
      kind: 'Deployment',
      name: 'bank',
      containers: [{ name: 'app', lines: [{ text: 'charged', at: new Date(START_MS).toISOString() }] }],
    },
  ]),
});
const PAY = 'shop:deployments/pay';

async function openPay(options: Parameters<typeof openConsole>[2] = {}): Promise<Page> {
  const { page } = await openConsole(world, [PAY], options);
  await rowWith(page, 'the end').waitFor();
  await page.locator('.histogram canvas').waitFor();
  return page;
}

const boxOf = async (page: Page, text: string, selector: string) => {
  const box = await rowWith(page, text).locator(selector).first().boundingBox();
  if (box === null) throw new Error(`${selector} of ${text} is not drawn`);
  return box;
};

test('at 390 px a row has its message first, over the whole width, and its columns below', async () => {
  const page = await openPay({ width: 390, height: 844 });
  const message = await boxOf(page, 'payment failed', '.message');
  const time = await boxOf(page, 'payment failed', '.time');
  const row = await rowWith(page, 'payment failed').boundingBox();
  expect(message.width).toBeGreaterThan(360);
  expect(time.y).toBeGreaterThanOrEqual(message.y + message.height - 1);
  expect(row?.height).toBe(44);
  expect(time.y + time.height).toBeLessThanOrEqual((row?.y ?? 0) + 45);
  expect(await rowWith(page, 'payment failed').locator('.message').textContent()).toMatch(/^payment failed/);
  const overflow = await log(page).evaluate((pane) => pane.scrollWidth - pane.clientWidth);
  expect(overflow).toBeLessThanOrEqual(0);
});

test('at 390 px the rows of two containers have their names beside the time', async () => {
  const { page } = await openConsole(world, [PAY, 'shop:deployments/bank'], { width: 390, height: 844 });
  await rowWith(page, 'the end').waitFor();
  const name = rowWith(page, 'charged').locator('.speaker');
  await eventually(() => name.textContent()).toMatch(/^bank/);
  const [at, time] = [await name.boundingBox(), await boxOf(page, 'charged', '.time')];
  expect(at?.y).toBeCloseTo(time.y, 0);
  expect(at?.x).toBeGreaterThan(time.x + time.width);
  const isWhole = await name.evaluate((shown) => shown.scrollWidth <= shown.clientWidth);
  expect(isWhole).toBe(true);
  expect((await rowWith(page, 'charged').boundingBox())?.height).toBe(44);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test('at 390 px an event has what happened first, and whom it is about below', async () => {
  const crash = { workload: 'deployments/pay' };
  await world.cluster.control.crashContainer(crash);
  const page = await openPay({ width: 390, height: 844 });
  const exit = page.locator('[data-fact="exited"]').first();
  await exit.waitFor();
  const text = await exit.locator('.message').boundingBox();
  const subject = await exit.locator('.fact-subject').boundingBox();
  const row = await exit.boundingBox();
  expect(await exit.locator('.message').textContent()).toMatch(/^exited \d+ /);
  expect(await exit.locator('.fact-subject').textContent()).toMatch(/^pay-[^ ]+\/app$/);
  expect(text?.width).toBeGreaterThan(360);
  expect(subject?.y).toBeGreaterThanOrEqual((text?.y ?? 0) + (text?.height ?? 0) - 1);
  expect((subject?.y ?? 0) + (subject?.height ?? 0)).toBeLessThanOrEqual((row?.y ?? 0) + 45);
});

test('at 375 px nothing is cut of what can be done with a field, in the row and below it', async () => {
  const page = await openPay({ width: 375, height: 812 });
  const areInside = (selector: string) =>
    eventually(() =>
      page.locator(selector).evaluateAll((all) => [
        all.length > 0,
        all.filter((each) => {
          const { left, right } = each.getBoundingClientRect();
          return left < 0 || right > 375;
        }).length,
      ]),
    ).toEqual([true, 0]);
  await rowWith(page, 'payment refused').locator('.pair').first().click();
  await page
    .getByRole('toolbar', { name: /^Field / })
    .getByRole('button', { name: /^copy value/ })
    .waitFor();
  await areInside('.pair-bar, .pair-bar button');
  await page.keyboard.press('Escape');
  await rowWith(page, 'order placed').getByRole('button', { name: 'Open the line' }).click();
  await page
    .getByRole('button', { name: /^copy value/ })
    .first()
    .waitFor();
  await areInside('.tree-line .field-actions button');
});

test('at 390 px the chart is a strip of 24 px, and everything to act with is in the lower part', async () => {
  const page = await openPay({ width: 390, height: 844 });
  expect((await page.getByRole('region', { name: 'Lines over time' }).boundingBox())?.height).toBe(24);
  const actions = page.getByRole('navigation', { name: 'Actions' });
  for (const name of ['Filters', 'Previous error', 'Next error', /^Follow/, 'Columns, wrapping and more']) {
    const box = await actions.getByRole('button', { name }).boundingBox();
    expect(box?.y, String(name)).toBeGreaterThan(844 * 0.7);
    expect(Math.min(box?.width ?? 0, box?.height ?? 0), String(name)).toBeGreaterThanOrEqual(44);
    expect((box?.x ?? 0) + (box?.width ?? 0), String(name)).toBeLessThanOrEqual(390);
  }
  await actions.getByRole('button', { name: 'Previous error' }).click();
  await page.locator('.log-scroll .cur', { hasText: 'payment refused' }).waitFor();
  await actions.getByRole('button', { name: 'Columns, wrapping and more' }).click();
  await page.getByRole('checkbox', { name: /^Wrap long lines/ }).waitFor();
});

/** Counts the drawn pixels of the chart, from a height on, in px of the page. */
function drawnPixels(page: Page, fromPx = 0): Promise<number> {
  return page.locator('.histogram canvas').evaluate((element, from) => {
    const canvas = element as HTMLCanvasElement;
    const scale = canvas.height / canvas.clientHeight;
    const top = Math.round(from * scale);
    const { data } = canvas.getContext('2d')?.getImageData(0, top, canvas.width, canvas.height - top) ?? {};
    return [...(data ?? [])].filter((value, index) => index % 4 === 3 && value > 0).length;
  }, fromPx);
}

test('zoomed to 200 % the page keeps the chart', async () => {
  // The content size of a 1440 x 900 window at that zoom.
  const page = await openPay({ width: 720, height: 450 });
  await eventually(() => drawnPixels(page)).toBeGreaterThan(0);
  expect((await page.getByRole('region', { name: 'Lines over time' }).boundingBox())?.height).toBe(24);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
});

test('with forced colors the chart says with letters which bars have errors', async () => {
  const lettersOf = async (query: string) => {
    const page = await openPay({ query });
    await eventually(() => drawnPixels(page)).toBeGreaterThan(0);
    await page.emulateMedia({ forcedColors: 'active' });
    return page;
  };
  const page = await lettersOf('');
  // Bars end above the letters.
  await eventually(() => drawnPixels(page, 31)).toBeGreaterThan(0);
  const without = await lettersOf('exc.level=error');
  await eventually(() => drawnPixels(without, 31)).toBe(0);
  expect(await drawnPixels(without)).toBeGreaterThan(0);
});

test('the active, the selected and the linked row differ, and none loses the red of an error', async () => {
  const page = await openPay();
  const style = (text: string) =>
    rowWith(page, text)
      .locator('.cells')
      .evaluate((cells) => {
        const { backgroundColor, boxShadow, outlineStyle, borderRightStyle } = getComputedStyle(cells);
        return { backgroundColor, boxShadow, outlineStyle, borderRightStyle };
      });
  const plain = await style('payment failed');
  const other = await style('the end');
  expect(plain.backgroundColor).not.toBe(other.backgroundColor);
  await rowWith(page, 'payment failed').locator('.level').click();
  await rowWith(page, 'payment refused')
    .locator('.level')
    .click({ modifiers: ['Control'] });
  await page.locator('.log-scroll .cur', { hasText: 'payment refused' }).waitFor();
  const selected = await style('payment failed');
  const active = await style('payment refused');
  expect(selected.boxShadow).not.toBe(plain.boxShadow);
  expect(active.outlineStyle).not.toBe(selected.outlineStyle);
  expect([selected.backgroundColor, active.backgroundColor]).toEqual(
    [plain, plain].map((row) => row.backgroundColor),
  );
  await page.keyboard.press('Escape');
  await rowWith(page, 'payment failed').locator('.level').click();
  await page.keyboard.press('l');
  await page.getByRole('status', { name: 'Result' }).filter({ hasText: 'Copied' }).waitFor();
  await page.goto(await page.evaluate(() => navigator.clipboard.readText()));
  await page.locator('.log-scroll [aria-current="location"]', { hasText: 'payment failed' }).waitFor();
  const linked = await style('payment failed');
  expect(linked.borderRightStyle).not.toBe(active.borderRightStyle);
  expect(linked.backgroundColor).toBe(plain.backgroundColor);
});

test('dates are ISO dates and times have 24 hours, whatever the language of the browser', async () => {
  const { page } = await world.visit('/?ctx=admin');
  const title = page.getByRole('row', { name: /pay/ }).locator('time').first();
  expect(await title.getAttribute('title')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
});
