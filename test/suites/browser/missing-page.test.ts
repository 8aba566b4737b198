import { expect, test } from 'vitest';
import { listReady, rowOf } from './home-page.ts';
import { SHOP } from './shop-scenario.ts';
import { openWorld } from './world.ts';

const world = openWorld({ scenario: SHOP });

test('logs that are opened without a network say so, are no fault of logtool, and come when it is back', async () => {
  const { page, context } = await world.visit('/?ctx=admin', {
    // Which message appears depends on what was preloaded: the part itself, or its imports.
    allows: [/Failed to load|ERR_INTERNET|preload|Failed to fetch dynamically imported module/],
  });
  await listReady(page);
  await context.setOffline(true);
  await rowOf(page, 'shop:deployments/web').getByRole('link').click();
  const alert = page.getByRole('alert');
  await alert.getByRole('heading', { name: 'The browser could not load this part of the page' }).waitFor();
  expect(await alert.getByText(/bug in logtool/).count()).toBe(0);
  await context.setOffline(false);
  await page.locator('.log-scroll [data-kind="line"]').first().waitFor();
});

test('an address that is no page says so, and leads to the workloads', async () => {
  const { page } = await world.visit('/no-such-page');
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
  await page.getByRole('link', { name: 'Go to workloads' }).click();
  await rowOf(page, 'shop:deployments/web').waitFor();
  expect(new URL(page.url()).pathname).toBe('/');
});
