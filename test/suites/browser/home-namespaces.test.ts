import { expect, test } from 'vitest';
import { eventually } from './eventually.ts';
import { listReady, rowOf, rowSources, searchField } from './home-page.ts';
import { SHOP } from './shop-scenario.ts';
import { openWorld } from './world.ts';

const world = openWorld({ scenario: SHOP });
const WEB = 'shop:deployments/web';

test('home 13: namespaces are chosen, several at once, with the number of workloads in each', async () => {
  const { page } = await world.visit('/?ctx=admin');
  await listReady(page);
  await page.getByRole('button', { name: 'All namespaces' }).click();
  const panel = page.getByRole('dialog', { name: 'Namespaces' });
  const of = (name: string) => panel.locator(`[data-namespace="${name}"]`);
  await eventually(() => of('shop').innerText()).toMatch(/^shop\s+7$/);
  expect(await of('data').innerText()).toMatch(/^data\s+1$/);
  expect(await of('empty').innerText()).toMatch(/^empty\s+0$/);
  await of('data').click();
  await eventually(() => rowSources(page)).toEqual(['data:statefulsets/kafka']);
  await of('shop').click();
  await eventually(async () => (await rowSources(page)).length).toBe(8);
  expect(new URL(page.url()).searchParams.getAll('ns')).toEqual(['data', 'shop']);
});

test('home 14: the context switcher shows name, server and whether it can be reached', async () => {
  const { page } = await world.visit('/?ctx=admin');
  await listReady(page);
  await page.getByRole('button', { name: 'Context admin' }).click();
  const panel = page.getByRole('dialog', { name: 'Contexts' });
  const other = panel.getByRole('link', { name: /^shop-only/ });
  await eventually(() => other.innerText()).toContain('reachable');
  expect(await other.innerText()).toContain(world.cluster.server);
  await other.click();
  await page.waitForURL(/ctx=shop-only/);
  await listReady(page);
  expect((await rowSources(page)).every((source) => source.startsWith('shop:'))).toBe(true);
});

test('home 16: denied namespaces are listed as denied, with the verb that is missing', async () => {
  const { page } = await world.visit('/?ctx=shop-only');
  await rowOf(page, WEB).waitFor();
  const notice = page.locator('[data-denied~="data"]');
  await eventually(() => notice.innerText()).toContain('list pods');
  await notice.getByRole('button', { name: 'Copy kubectl command' }).click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toMatch(/^kubectl auth can-i list pods .*data/);
  await page.getByRole('button', { name: 'All namespaces' }).click();
  await eventually(() => page.locator('[data-namespace="data"]').innerText()).toMatch(/denied: list pods/);
});

test('home triage: without the right to list events it says so, and shows what pods report', async () => {
  const { page } = await world.visit('/?ctx=no-events&ns=shop');
  const triage = page.getByRole('region', { name: /^Needs a look/ });
  await triage.getByText('The list may lack warning events').waitFor();
  const broken = triage.locator('[data-source="shop:deployments/broken"]');
  await eventually(() => broken.locator('.triage-what').innerText()).toMatch(/^(Err)?ImagePull/);
  expect(await broken.locator('.triage-why').innerText()).toContain('no such host');
});

test('home 18: recent and saved views', async () => {
  const { page } = await world.visit('/?ctx=admin');
  await rowOf(page, WEB).getByRole('link').click();
  await page.waitForURL(/\/console\?/);
  await page.goBack();
  const recent = page.getByRole('navigation').getByRole('link', { name: /shop: web/ });
  await recent.waitFor();
  await searchField(page).fill('db');
  await page.waitForURL(/q=db/);
  await page.getByRole('button', { name: 'Saved views' }).click();
  await page.getByRole('textbox', { name: 'Name of this view' }).fill('only the database');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('link', { name: 'only the database' }).waitFor();
  await page.goto(`${world.server.origin}/?ctx=admin`);
  await listReady(page);
  await page.getByRole('button', { name: 'Saved views' }).click();
  await page.getByRole('link', { name: 'only the database' }).click();
  await page.waitForURL(/q=db/);
  await eventually(() => rowSources(page)).toEqual(['shop:statefulsets/db']);
  await recent.click();
  await page.waitForURL(/\/console\?ctx=admin&src=shop:deployments\/web/);
});

test('home 19: all state is in the URL', async () => {
  const { page } = await world.visit('/?ctx=admin');
  await listReady(page);
  await page.locator('[data-kind="deployments"]').click();
  await searchField(page).fill('r');
  await page.getByRole('columnheader', { name: 'Name', exact: true }).getByRole('button').click();
  await rowOf(page, 'shop:deployments/cart').getByRole('checkbox').click();
  await page.mouse.move(5, 5);
  await page.waitForURL(/q=r/);
  await page.waitForURL(/sort=-name/);
  await page.waitForURL(/sel=shop:deployments\/cart/);
  const shown = await rowSources(page);
  expect(shown).toEqual(['shop:deployments/mailer', 'shop:deployments/cart', 'shop:deployments/broken']);
  const url = page.url().slice(world.server.origin.length);
  const { page: fresh } = await world.visit(url);
  await eventually(() => rowSources(fresh)).toEqual(shown);
  expect(await searchField(fresh).inputValue()).toBe('r');
  expect(await fresh.locator('[data-kind="deployments"]').getAttribute('aria-current')).toBe('page');
  expect(await rowOf(fresh, 'shop:deployments/cart').getByRole('checkbox').isChecked()).toBe(true);
  await fresh.getByText('1 workload, 2 pods').waitFor();
});
