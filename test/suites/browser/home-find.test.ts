import { expect, test } from 'vitest';
import { eventually } from './eventually.ts';
import { focused, listReady, rowOf, rowSources, searchField } from './home-page.ts';
import { SHOP } from './shop-scenario.ts';
import { openWorld } from './world.ts';

const world = openWorld({ scenario: SHOP });
const WEB = 'shop:deployments/web';
const CART = 'shop:deployments/cart';
const DB = 'shop:statefulsets/db';

test('home 8: / searches, arrows move, x selects, Enter opens', async () => {
  const { page } = await world.visit('/?ctx=admin');
  await listReady(page);
  await page.keyboard.press('/');
  expect(await focused(page)).toBe('Find a workload');
  await page.keyboard.type('a');
  await eventually(() => rowSources(page)).toContain('shop:daemonsets/agent');
  await page.keyboard.press('ArrowDown');
  const order = await rowSources(page);
  expect(await focused(page)).toBe(order[0]);
  await page.keyboard.press('ArrowDown');
  await eventually(() => focused(page)).toBe(order[1]);
  await page.keyboard.press('ArrowUp');
  await eventually(() => focused(page)).toBe(order[0]);
  await page.keyboard.press('x');
  await eventually(() =>
    rowOf(page, order[0] ?? '')
      .getByRole('checkbox')
      .isChecked(),
  ).toBe(true);
  await page.keyboard.press('x');
  await eventually(() =>
    rowOf(page, order[0] ?? '')
      .getByRole('checkbox')
      .isChecked(),
  ).toBe(false);
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/console\?/);
  expect(new URL(page.url()).searchParams.getAll('src')).toEqual([order[0]]);
});

test('home 10: a selection says what it is: "3 workloads, 7 pods: Open together"', async () => {
  const { page } = await world.visit('/?ctx=admin');
  await listReady(page);
  for (const source of [WEB, CART, DB]) await rowOf(page, source).getByRole('checkbox').click();
  const bar = page.getByRole('region', { name: 'Selection' });
  await bar.getByText('3 workloads, 7 pods').waitFor();
  await bar.getByRole('link', { name: 'Open together' }).click();
  await page.waitForURL(/\/console\?/);
  expect(new URL(page.url()).searchParams.getAll('src').sort()).toEqual([CART, WEB, DB]);
});

test('home 11: select-all takes the visible rows only', async () => {
  const { page } = await world.visit('/?ctx=admin');
  await listReady(page);
  await rowOf(page, DB).getByRole('checkbox').click();
  await searchField(page).fill('ca');
  await eventually(() => rowSources(page)).toEqual([CART]);
  await page.getByRole('checkbox', { name: 'Select all visible' }).click();
  await page.getByText('2 workloads, 4 pods').waitFor();
  await searchField(page).fill('');
  await eventually(async () => (await rowSources(page)).length).toBe(8);
  const checked = await page
    .locator('tbody tr[data-source]:has(input:checked)')
    .evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.source));
  expect(checked).toEqual([CART, DB]);
});

test('home 12: a click opens here, a Ctrl-click in a new tab', async () => {
  const { page, context } = await world.visit('/?ctx=admin');
  await listReady(page);
  const link = rowOf(page, WEB).getByRole('link');
  expect(await link.getAttribute('href')).toContain('/console?ctx=admin&src=shop:deployments/web');
  const [tab] = await Promise.all([context.waitForEvent('page'), link.click({ modifiers: ['Control'] })]);
  await tab.waitForURL(/\/console\?ctx=admin&src=/);
  expect(new URL(page.url()).pathname).toBe('/');
  await link.click();
  await page.waitForURL(/\/console\?ctx=admin&src=/);
  expect(context.pages()).toHaveLength(2);
  await page.goBack();
  await listReady(page);
});

test('home 20: Ctrl+K goes to a workload, a context, a view', async () => {
  const { page } = await world.visit('/?ctx=admin');
  await listReady(page);
  await page.keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: /Go to/ });
  await field.waitFor();
  await field.fill('web');
  await page.getByRole('option', { name: /^web shop · Deployment/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/console\?ctx=admin&src=shop:deployments\/web/);
  await page.keyboard.press('Control+k');
  await field.fill('shop-only');
  await page.getByRole('option', { name: /^shop-only/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/\?ctx=shop-only/);
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name: /shop: web/ }).click();
  await page.waitForURL(/\/console\?ctx=admin/);
  // Closing it restores the focus.
  await page.goBack();
  await listReady(page);
  await searchField(page).focus();
  await page.keyboard.press('Control+k');
  await field.waitFor();
  await page.keyboard.press('Escape');
  await field.waitFor({ state: 'detached' });
  await eventually(() => focused(page)).toBe('Find a workload');
});

test('home 20: what opens over the page opens as soon as it is loaded, however little time goes by', async () => {
  for (const [key, role, name] of [
    ['Control+k', 'combobox', /Go to/],
    ['?', 'dialog', 'Keys'],
  ] as const) {
    const { page } = await world.visit('/?ctx=admin', { prepare: (page) => page.clock.install() });
    await listReady(page);
    await page.clock.pauseAt(Date.now() + 60_000);
    await page.keyboard.press(key);
    await page.getByRole(role, { name }).waitFor();
  }
  const { page } = await world.visit('/?ctx=admin', { prepare: (page) => page.clock.install() });
  await listReady(page);
  await page.clock.pauseAt(Date.now() + 60_000);
  await page.getByRole('button', { name: 'Saved views' }).press('Enter');
  await page.getByRole('dialog', { name: 'Saved views' }).waitFor();
});
