import { expect, test } from 'vitest';
import { eventually } from './eventually.ts';
import { openWorld } from './world.ts';

const world = openWorld({
  scenario: { startDelays: 'none', nodes: [{ name: 'a' }], users: [{ name: 'somebody' }] },
});

test('home 17: an empty cluster offers the demo command', async () => {
  const { page } = await world.visit('/?ctx=admin');
  const status = page.getByRole('status').filter({ hasText: 'No workloads in admin' });
  await status.getByText('logtool demo').waitFor();
  await status.getByRole('button', { name: 'Copy' }).click();
  await eventually(() => page.evaluate(() => navigator.clipboard.readText())).toBe('logtool demo');
  expect(await page.locator('tbody tr').count()).toBe(0);
});
