import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openConsole, rowWith } from './console-page.ts';
import { eventually } from './eventually.ts';
import { openWorld } from './world.ts';

const SOURCE = 'shop:deployments/*';
const JSON_LINE =
  '{"time":"2026-11-21T10:00:00Z","level":"info","logger":"pay","msg":"card declined","code":7}';

const world = openWorld({
  scenario: {
    seed: 1,
    clusterName: 'details',
    namespace: 'shop',
    startDelays: 'none',
    backfill: '5m',
    namespaces: ['shop'],
    nodes: [{ name: 'node-a' }],
    workloads: [
      {
        kind: 'Deployment',
        name: 'pay',
        containers: [
          { name: 'app', lines: [JSON_LINE, 'level=debug msg=settings pool.max=60', 'level=info msg=ready'] },
        ],
      },
    ],
  },
});

const search = (page: Page, text: string) =>
  page.getByRole('searchbox', { name: 'Search in the logs' }).fill(text);

test('a comparison with a text is a fault, and a note calls a key without a value a text', async () => {
  const { page } = await openConsole(world, [SOURCE]);
  await search(page, '@duration_ms:>abc');
  await page.getByRole('alert').getByText('no number after >').waitFor();
  await search(page, '@trace_id');
  const field = page.getByRole('status', { name: 'Field' });
  await eventually(() => field.textContent()).toBe(
    '@trace_id is searched as text; write @trace_id:value for the field',
  );
});

test('the group and the question of a pattern have a name', async () => {
  const { page } = await openConsole(world, [SOURCE]);
  await page.getByRole('region', { name: 'pay', exact: true }).waitFor();
  await page.getByRole('button', { name: 'Why deployments/* is in this state' }).waitFor();
});

test('pinned lines show their message as the rows do', async () => {
  const { page } = await openConsole(world, [SOURCE]);
  await rowWith(page, 'card declined').locator('.message').click();
  await page.keyboard.press('p');
  await page.getByRole('button', { name: 'Columns, wrapping and more' }).click();
  await page.getByRole('button', { name: /^Pinned lines/ }).click();
  await eventually(() => page.locator('.pin-line').textContent()).toMatch(/^card declined /);
});

test('what a debug line says is not dimmed', async () => {
  const { page } = await openConsole(world, [SOURCE]);
  const colorOf = (text: string) =>
    rowWith(page, text)
      .locator('.message')
      .evaluate((message) => getComputedStyle(message).color);
  expect(await colorOf('settings')).toBe(await colorOf('ready'));
});

test.each([320, 390])('at %i px search has its help, and the range is legible', async (width) => {
  const { page } = await openConsole(world, [SOURCE], { width, height: 640, query: 'last=15m' });
  await page.getByRole('button', { name: 'How to search' }).click();
  await page.getByText('@level:error,warn').waitFor();
  const box = await page.locator('.search-help').boundingBox();
  expect(box!.x).toBeGreaterThanOrEqual(0);
  expect(box!.x + box!.width).toBeLessThanOrEqual(width);
  await page.keyboard.press('Escape');
  const fits = (selector: string) =>
    page.locator(selector).evaluate((one) => one.scrollWidth <= one.clientWidth);
  expect(await page.locator('.thumb-bar .range-label').textContent()).toBe('Last 15 min');
  expect(await fits('.thumb-bar .range-label')).toBe(true);
  expect(await fits('.thumb-bar .follow')).toBe(true);
  const long = new URL(page.url());
  long.searchParams.delete('last');
  long.searchParams.set('from', '2026-11-20T10:00:00Z');
  long.searchParams.set('to', '2026-11-21T11:00:00Z');
  await page.goto(long.href);
  await page.locator('.thumb-bar .range-label').getByText('2026-11-20').waitFor();
  expect(await fits('.thumb-bar .follow')).toBe(true);
});
