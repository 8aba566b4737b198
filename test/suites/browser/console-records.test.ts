import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { TRACES } from '../../support/records/traces.ts';
import { openConsole, rowWith, shownTexts } from './console-page.ts';
import { eventually } from './eventually.ts';
import { shopOf } from './shop-of.ts';
import { openWorld } from './world.ts';

const JAVA = TRACES[0]!;
const [HEAD] = JAVA.lines as [string];
const JSON_RECORD = ['{', '  "msg": "loaded",', '  "pool": { "max": 60 }', '}'];
const WEB = ['level=info ready', ...JAVA.lines, 'level=info again', ...JSON_RECORD];
/** Written at once: an error of one line, a trace, and lines that say nothing of their level. */
const access = (path: string, status: number) =>
  `10.0.0.9 - - [21/Nov/2026:10:00:00 +0000] "GET ${path} HTTP/1.1" ${status} 12 "-" "curl/8.1"`;
const EDGE = [access('/down', 503), access('/ok', 200), access('/missing', 404), ...JAVA.lines, 'go on'];
/** A line of another part of the program between an exception and its frames looks like one of its message. */
const TORN = [
  'java.lang.IllegalStateException: order 7 failed',
  'the payment was refused',
  'worker 3 is idle',
  '\tat com.acme.Orders.charge(Orders.java:15)',
  'Caused by: java.lang.RuntimeException: no answer',
  'of host payment',
  '\t... 9 more',
];
/** A head with much that says little, and a cause that says it. */
const SPRING = [
  'level=error msg="order 34 failed" pid=4711 thread=http-nio-8080-exec-7 logger=com.acme.shop.orders.web.OrderController',
  'java.lang.IllegalStateException: order 34 failed',
  '\tat com.acme.shop.orders.Orders.charge(Orders.java:15)',
  '\tat com.acme.shop.orders.web.OrderController.post(OrderController.java:88)',
  'Caused by: java.io.IOException: no route to host',
  '\t... 2 more',
];
const START_MS = Date.now() - 30_000;
const lineAt = (text: string, ms: number) => ({ text, at: new Date(START_MS + ms).toISOString() });
const world = openWorld({
  scenario: shopOf([
    {
      kind: 'Deployment',
      name: 'web',
      containers: [{ name: 'app', lines: WEB.map((text, index) => lineAt(text, index * 10)) }],
    },
    {
      kind: 'Deployment',
      name: 'edge',
      containers: [{ name: 'app', lines: EDGE.map((text) => lineAt(text, 0)) }],
    },
    {
      kind: 'Deployment',
      name: 'pay',
      containers: [{ name: 'app', lines: TORN.map((text) => lineAt(text, 0)) }],
    },
    {
      kind: 'Deployment',
      name: 'spring',
      containers: [{ name: 'app', lines: SPRING.map((text) => lineAt(text, 0)) }],
    },
    {
      kind: 'Deployment',
      name: 'proxy',
      containers: [{ name: 'app', lines: [25, 65, 105].map((ms) => lineAt(`proxied ${ms}`, ms)) }],
    },
  ]),
});
const SOURCES = ['shop:deployments/web', 'shop:deployments/proxy'];

async function openRecords(query = '') {
  const { page } = await openConsole(world, SOURCES, { query });
  await rowWith(page, 'payment failed').waitFor();
  return page;
}

const rows = (page: Page) => page.locator('.log-scroll [data-kind="line"]');
const fold = (page: Page) => rowWith(page, 'payment failed').locator('.fold-button');
/** Returns the lines of the trace that are rows. */
async function shownFrames(page: Page): Promise<readonly string[]> {
  const texts = await shownTexts(page);
  return texts.filter((text) => JAVA.lines.slice(1).includes(text));
}

test('a stack trace is one row: its head, how many frames, the deepest cause, and the first frame of its own', async () => {
  const page = await openRecords('raw=1');
  expect(await shownFrames(page)).toEqual([]);
  const row = rowWith(page, 'payment failed');
  expect(await row.locator('.message').textContent()).toBe(HEAD);
  expect(await row.locator('.record-fold').textContent()).toContain('8 frames');
  expect(await row.locator('.fold-cause').textContent()).toBe(JAVA.cause);
  expect(await row.locator('.fold-frame').textContent()).toBe(JAVA.ownFrame);
  expect(await row.getAttribute('data-level')).toBe('error');
  expect(await row.getAttribute('data-record')).toBe('folded');
});

test('a folded trace shows the lines of its messages, where a line of another part of the program may be', async () => {
  const { page } = await openConsole(world, ['shop:deployments/pay']);
  const row = rowWith(page, 'order 7 failed');
  await row.waitFor();
  expect(await rows(page).count()).toBe(1);
  expect(await row.locator('.record-fold > span').allTextContents()).toEqual([
    'the payment was refused',
    'worker 3 is idle',
    TORN[4],
    'of host payment',
    TORN[3]!.trim(),
  ]);
  expect(await row.locator('.fold-button').textContent()).toContain('3 more lines, 1 frame');
});

test('Enter unfolds it and folds it again, and so does a click', async () => {
  const page = await openRecords('raw=1');
  await rowWith(page, 'payment failed').locator('.message').click();
  await page.keyboard.press('Enter');
  await eventually(() => shownFrames(page)).toEqual(JAVA.lines.slice(1));
  // Its lines appear at their own times, among lines of other containers.
  const texts = await shownTexts(page);
  const inside = texts.slice(texts.indexOf(HEAD), texts.indexOf(JAVA.lines.at(-1) ?? ''));
  expect(inside.some((text) => text.startsWith('proxied'))).toBe(true);
  await page.keyboard.press('Enter');
  await eventually(() => shownFrames(page)).toEqual([]);
  await fold(page).click();
  await eventually(() => shownFrames(page)).toEqual(JAVA.lines.slice(1));
  expect(await fold(page).getAttribute('aria-expanded')).toBe('true');
});

test('an error colors its own record, never the records after it', async () => {
  const { page } = await openConsole(world, ['shop:deployments/edge'], { query: 'raw=1' });
  await fold(page).click();
  await eventually(() => shownTexts(page)).toEqual(EDGE);
  const red = page.locator('.log-scroll [data-kind="line"].e .message');
  expect(await red.allTextContents()).toEqual([EDGE[0], ...JAVA.lines]);
});

test('the level that its head has keeps all of it', async () => {
  const page = await openRecords('inc.level=error&raw=1');
  await eventually(() => rows(page).count()).toBe(1);
  await fold(page).click();
  await eventually(() => shownTexts(page)).toEqual(JAVA.lines);
});

test('a search that only a frame matches keeps it, and says so', async () => {
  const page = await openRecords('q=EOFException&only=1');
  await eventually(() => rows(page).count()).toBe(1);
  expect(await rowWith(page, 'payment failed').locator('.fold-hits').textContent()).toBe(
    '1 line inside matches',
  );
});

test('a search that only excludes finds no hits inside of a record', async () => {
  const page = await openRecords('q=-zzzz');
  await eventually(() => page.getByRole('status', { name: 'Search' }).textContent()).toMatch(
    /\b[1-9]\d* hits/,
  );
  await rowWith(page, 'payment failed').waitFor();
  expect(await page.locator('.fold-hits').count()).toBe(0);
});

test('a level of its head and a text of its cause find it together, and every count says so', async () => {
  const page = await openRecords('inc.level=error&q=EOFException&only=1');
  await eventually(() => rows(page).count()).toBe(1);
  const chart = page.getByRole('slider', { name: 'Time range of the lines' });
  await eventually(() => chart.getAttribute('aria-valuetext')).toContain(': 1 line, 1 error, 0 warnings');
  await eventually(() => page.getByRole('status', { name: 'Search' }).textContent()).toMatch(/\b1 hit\b/);
  const errors = page.locator('[data-facet="level"][data-value="error"]');
  expect(await errors.textContent()).toMatch(/error1 /);
  const { from, to } = { from: new Date(START_MS - 5_000), to: new Date(START_MS + 5_000) };
  // A level that no line has, in a range read to its end: there are no matches.
  const none = new URL(page.url());
  none.searchParams.set('inc.level', 'warn');
  none.searchParams.set('from', from.toISOString());
  none.searchParams.set('to', to.toISOString());
  await page.goto(none.href);
  await page.getByText('No lines match the filters').waitFor();
  none.searchParams.set('inc.level', 'error');
  await page.goto(none.href);
  await eventually(() => rows(page).count()).toBe(1);
});

test('an excluded line takes it away', async () => {
  const page = await openRecords();
  await page.goto(`${page.url()}&q=-EOFException&only=1`);
  await rowWith(page, 'level=info again').waitFor();
  await eventually(async () => (await shownTexts(page)).filter((text) => JAVA.lines.includes(text))).toEqual(
    [],
  );
});

test('copying it gives all of its bytes', async () => {
  const page = await openRecords();
  await rowWith(page, 'payment failed').locator('.message').click();
  await page.keyboard.press('c');
  await page.getByRole('status', { name: 'Result' }).filter({ hasText: 'copied' }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied.replace(/\n$/, '').split('\n')).toEqual(JAVA.lines);
});

test('the head of a trace shows its message first, as other lines do', async () => {
  const page = await openRecords();
  const row = rowWith(page, 'payment failed');
  expect(await row.locator('.message').textContent()).toBe(
    'payment failed pid=1 thread=nio-8080-exec-4 logger=com.example.shop.Checkout',
  );
  expect(await row.locator('.record-fold').textContent()).toContain('8 frames');
});

test('JSON over several lines is one row too', async () => {
  const page = await openRecords();
  const row = rows(page).filter({ hasText: '3 more lines' });
  await row.waitFor();
  expect(await row.locator('.message').textContent()).toBe('{');
  expect(await row.locator('.fold-members').textContent()).toBe('"msg": "loaded"');
});

test('one key shows every line, the link keeps that, and the key folds again', async () => {
  const page = await openRecords();
  await page.keyboard.press('g');
  await eventually(() => shownFrames(page)).toEqual(JAVA.lines.slice(1));
  expect(new URL(page.url()).searchParams.get('flat')).toBe('1');
  await page.reload();
  await rowWith(page, 'payment failed').waitFor();
  await eventually(() => shownFrames(page)).toEqual(JAVA.lines.slice(1));
  await page.keyboard.press('g');
  await eventually(() => shownFrames(page)).toEqual([]);
});

test.each([1440, 390])(
  'at %i px a folded trace shows its deepest cause whole, whatever its head says',
  async (width) => {
    const { page } = await openConsole(world, ['shop:deployments/spring', 'shop:deployments/proxy'], {
      width,
    });
    const row = rowWith(page, 'order 34 failed');
    const cause = row.locator('.fold-cause');
    await cause.waitFor();
    expect(await cause.textContent()).toBe('Caused by: java.io.IOException: no route to host');
    const box = await cause.evaluate((element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const around = element.closest('[data-entry]')?.getBoundingClientRect();
      const isCut = element.scrollWidth > element.clientWidth;
      return {
        isCut,
        isInside:
          left >= 0 && right <= innerWidth && top >= (around?.top ?? 0) && bottom <= (around?.bottom ?? 0),
      };
    });
    expect(box).toEqual({ isCut: false, isInside: true });
    expect(await row.locator('.message').evaluate((element) => element.clientWidth)).toBeGreaterThan(80);
  },
);

test('on a phone, the mark of a pinned trace is beside its time, not on its text', async () => {
  const { page } = await openConsole(world, ['shop:deployments/spring', 'shop:deployments/proxy'], {
    width: 390,
  });
  const row = rowWith(page, 'order 34 failed');
  await row.locator('.message').click();
  await page.keyboard.press('p');
  await page.waitForURL(/pin=/);
  await eventually(() => row.getAttribute('data-pinned')).toBe('true');
  const mark = await row.locator('.cells').evaluate((cells) => {
    const { content, top } = getComputedStyle(cells, '::before');
    const message = cells.querySelector('.message');
    return { content, isBelow: Number.parseFloat(top) >= (message?.getBoundingClientRect().height ?? 0) };
  });
  expect(mark).toEqual({ content: '"◆"', isBelow: true });
});
