import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { log, openConsole, rowWith, shownRows, shownTexts } from './console-page.ts';
import { eventually } from './eventually.ts';
import { shopOf } from './shop-of.ts';
import { openWorld } from './world.ts';

const START_MS = Date.now() - 30_000;
const lineAt = (text: string, ms: number) => ({ text, at: new Date(START_MS + ms).toISOString() });
const EQUAL = Array.from({ length: 40 }, (_, index) =>
  lineAt('level=error pool exhausted', 1_000 + index * 5),
);
const world = openWorld({
  scenario: shopOf([
    {
      kind: 'Deployment',
      name: 'web',
      containers: [
        { name: 'app', lines: [lineAt('plain text of web', 0), ...EQUAL, lineAt('after the flood', 2_000)] },
      ],
    },
    {
      kind: 'Deployment',
      name: 'proxy',
      containers: [
        { name: 'app', lines: [lineAt('proxied between', 1_050), lineAt('proxied after', 2_500)] },
      ],
    },
  ]),
});
const SOURCES = ['shop:deployments/web', 'shop:deployments/proxy'];
const clipboard = (page: Page) => page.evaluate(() => navigator.clipboard.readText());
const note = (page: Page) => page.locator('.bar-result, [role="status"]');
const pins = (page: Page) => page.getByRole('region', { name: 'Pinned lines' });
const equalOf = async (page: Page) =>
  (await shownTexts(page)).filter((text) => text.includes('pool exhausted')).length;

async function openLines(query = '') {
  const { page } = await openConsole(world, SOURCES, { query, height: 2_000 });
  await rowWith(page, 'after the flood').waitFor();
  return page;
}

test('pins keep lines with notes, in one link that shows the same in a fresh browser', async () => {
  const page = await openLines('raw=1');
  await rowWith(page, 'plain text of web').locator('.message').click();
  await page.keyboard.press('p');
  await page.waitForURL(/pin=/);
  await rowWith(page, 'proxied between').locator('.message').click();
  await page.keyboard.press('p');
  await page.keyboard.press('Shift+P');
  await eventually(() => pins(page).getByRole('listitem').count()).toBe(2);
  await eventually(() => pins(page).getByText('plain text of web').count()).toBe(1);
  const field = pins(page).getByRole('textbox').first();
  await field.fill('the first sign (a & b)');
  await field.press('Enter');
  await eventually(() => new URL(page.url()).searchParams.getAll('pin').join('\n')).toContain(
    'the first sign (a & b)',
  );
  await pins(page).getByRole('button', { name: 'Copy link' }).click();
  await eventually(() => clipboard(page)).toContain('/console?');
  const link = await clipboard(page);
  await pins(page).getByRole('button', { name: 'Copy as Markdown' }).click();
  await eventually(() => clipboard(page)).toMatch(/^\[Pinned lines\]\(http/);
  const markdown = await clipboard(page);
  expect(markdown).toContain('the first sign (a & b)');
  // The links of the lines do not repeat the pins.
  expect(markdown.match(/[?&]pin=/g)).toHaveLength(2);
  expect(markdown.indexOf('plain text of web')).toBeLessThan(markdown.indexOf('proxied between'));

  const { page: fresh } = await world.visit(
    `${link.slice(world.server.origin.length)}&from=2030-01-01T00:00:00Z`,
  );
  await eventually(() => pins(fresh).getByText('plain text of web').count()).toBe(1);
  await eventually(() => pins(fresh).getByText('proxied between').count()).toBe(1);
  expect(await pins(fresh).getByRole('textbox').first().inputValue()).toBe('the first sign (a & b)');

  // A pin leads to its line and can be removed.
  await pins(page)
    .getByRole('button')
    .filter({ hasText: /^\d\d:/ })
    .first()
    .click();
  await eventually(() => page.locator('.log-scroll .cur .message').textContent()).toBe('plain text of web');
  await page.keyboard.press('p');
  await eventually(() => pins(page).getByRole('listitem').count()).toBe(1);
  expect(await note(page).filter({ hasText: 'Unpinned the line' }).count()).toBeGreaterThan(0);
});

test('a pin that the address has no room for is refused, and has room once another is taken away', async () => {
  const ofGone = (index: number) =>
    `pin=2020-01-01T00:00:${10 + index}Z~0~gone%2Fapp%2Fcontainerd:%2F%2F0+${'n'.repeat(318)}`;
  const page = await openLines(Array.from({ length: 19 }, (_, index) => ofGone(index)).join('&'));
  await eventually(() => pins(page).getByText('This line is no longer in the logs').count()).toBe(19);
  const addresses = () => new URL(page.url()).searchParams.getAll('pin').length;
  await rowWith(page, 'plain text of web').locator('.message').click();
  const pinUntilRefused = async () => {
    for (const text of ['plain text of web', 'proxied between', 'proxied after', 'after the flood']) {
      const before = addresses();
      await rowWith(page, text).locator('.message').click();
      await page.keyboard.press('p');
      await eventually(
        async () => addresses() > before || (await note(page).filter({ hasText: 'Not pinned' }).count()) > 0,
      ).toBe(true);
      if (addresses() === before) return text;
    }
    throw new Error('none was refused');
  };
  const refused = await pinUntilRefused();
  expect(page.url().length).toBeLessThanOrEqual(7_500);
  expect(await note(page).filter({ hasText: 'the address has room for 7,500 characters' }).count()).toBe(1);
  const full = addresses();
  await pins(page)
    .getByRole('button', { name: /^Unpin/ })
    .first()
    .click();
  await eventually(addresses).toBe(full - 1);
  await rowWith(page, refused).locator('.message').click();
  await page.keyboard.press('p');
  await eventually(addresses).toBe(full);
  expect(page.url().length).toBeLessThanOrEqual(7_500);
});

test('a pin of a line that is gone says so, and the rest of the link is shown', async () => {
  const page = await openLines('pin=2020-01-01T00:00:00Z~0~gone%2Fapp%2Fcontainerd:%2F%2F0+why');
  await pins(page).getByText('This line is no longer in the logs').waitFor();
  expect(await pins(page).getByRole('textbox').inputValue()).toBe('why');
});

test('equal neighbors are one row on request, which counts and copies all of them', async () => {
  const page = await openLines('raw=1');
  expect(await equalOf(page)).toBeGreaterThan(1);
  await log(page).focus();
  await page.keyboard.press('d');
  await page.waitForURL(/equal=1/);
  await eventually(() => equalOf(page)).toBe(1);
  const row = rowWith(page, 'pool exhausted');
  expect(await row.locator('.fold-button').textContent()).toContain('×40 in 195 ms');
  await eventually(() => shownTexts(page)).toContain('proxied between');
  await row.locator('.message').click();
  await page.keyboard.press('c');
  await eventually(async () => (await clipboard(page)).split('\n').length).toBe(40);
  await eventually(() =>
    page.locator('[data-facet="level"][data-value="error"] .facet-count').textContent(),
  ).toMatch(/^40/);
  await page.keyboard.press('Enter');
  await eventually(() => equalOf(page)).toBeGreaterThan(20);
  await page.reload();
  await eventually(() => equalOf(page)).toBe(1);
});

test('every line opens: its whole text, where it comes from, and the way to the lines around it', async () => {
  const { page } = await openConsole(world, SOURCES, { query: 'q=plain&only=1' });
  const row = rowWith(page, 'plain text of web');
  await row.locator('.message').click();
  await page.keyboard.press('Enter');
  const facts = row.getByLabel('Where the line comes from');
  await facts.waitFor();
  const text = (await facts.textContent()) ?? '';
  for (const name of ['Time', 'Podshop/web-', 'Containerapp', 'Image', 'Nodea', 'Run1'])
    expect(text).toContain(name);
  expect(await row.locator('.whole-text').textContent()).toBe('plain text of web');
  await row.getByRole('button', { name: 'Show all lines around this one' }).click();
  await eventually(async () => (await shownTexts(page)).some((each) => each.includes('pool exhausted'))).toBe(
    true,
  );
  await page.keyboard.press('Escape');
  await eventually(() => row.getByLabel('Where the line comes from').count()).toBe(1);
  await log(page).focus();
  await page.keyboard.press('Escape');
  await eventually(() => row.getByLabel('Where the line comes from').count()).toBe(0);
});

test('containers keep their hues over a reload, and their runs are choices', async () => {
  const page = await openLines();
  const hues = () =>
    page
      .locator('[data-facet="container"]')
      .evaluateAll((rows) =>
        rows.map((each) => `${(each as HTMLElement).dataset.value} ${each.querySelector('.hue')?.className}`),
      );
  await eventually(async () => (await hues()).length).toBe(2);
  const before = await hues();
  await page.reload();
  await eventually(hues).toEqual(before);
  await world.cluster.control.crashContainer({ workload: 'deployments/proxy' });
  const runs = page.getByRole('region', { name: 'Runs' });
  await runs.getByRole('button', { name: /run 1/ }).first().waitFor();
  expect(await runs.getByRole('button', { name: /run 2 \(now\)/ }).count()).toBeGreaterThan(0);
  await runs.getByRole('button', { name: /run 1/ }).first().click();
  await page.waitForURL(/inc\.run=/);
  // The exit of the run stays beside its lines.
  const lines = async () => (await shownRows(page)).filter(({ kind }) => kind === 'line');
  await eventually(async () => (await lines()).every(({ text }) => text.startsWith('proxied'))).toBe(true);
  expect((await shownTexts(page)).filter((text) => text === 'proxied after').length).toBe(1);
});

test('columns are named, and their widths are changed with the keys, dragged, fitted, and kept', async () => {
  const page = await openLines('col=timestamp&col=dot&col=container');
  const edge = (name: string) => page.getByRole('separator', { name: `Width of ${name}` });
  const width = async (name: string) => Number(await edge(name).getAttribute('aria-valuenow'));
  const cellWidth = () =>
    page
      .locator('.log-scroll .line .cell')
      .first()
      .evaluate((cell) => cell.getBoundingClientRect().width);
  expect(await width('container')).toBe(112);
  await edge('container').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Shift+ArrowRight');
  await eventually(() => width('container')).toBe(152);
  await eventually(cellWidth).toBe(152);
  const box = (await edge('container').boundingBox())!;
  await page.mouse.move(box.x + 4, box.y + 4);
  await page.mouse.down();
  await page.mouse.move(box.x + 54, box.y + 4);
  await page.mouse.up();
  await eventually(() => width('container')).toBe(202);
  await page.reload();
  await eventually(() => width('container')).toBe(202);
  await rowWith(page, 'plain text of web').waitFor();
  await edge('container').dblclick();
  await eventually(() => width('container')).toBeLessThan(80);
  const isWhole = await page
    .locator('.log-scroll .line .cell')
    .first()
    .evaluate((cell) => cell.scrollWidth <= cell.clientWidth);
  expect(isWhole).toBe(true);
});

test('rows name who speaks from two containers on, by the short name of the pod', async () => {
  const page = await openLines();
  await eventually(() => rowWith(page, 'plain text of web').locator('.speaker').textContent()).toMatch(
    /^web-[a-z0-9]{5}$/,
  );
  const { page: one } = await openConsole(world, SOURCES.slice(0, 1));
  await rowWith(one, 'after the flood').waitFor();
  expect(await one.locator('.speaker').count()).toBe(0);
});
