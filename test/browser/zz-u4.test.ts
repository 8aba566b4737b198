import { readFileSync } from 'node:fs';
import { test } from 'vitest';
import { openWorld } from './world.ts';

const world = openWorld({ scenario: '/work/main/scenarios/shop.yaml' });
test('look', async () => {
  const { page } = await world.visit('/console?ctx=admin&src=shop:deployments/checkout&last=1h', {
    theme: 'dark',
    width: 1440,
    height: 900,
  });
  page.setDefaultTimeout(8000);
  await page.locator('.log-scroll [data-kind="line"]').first().waitFor();
  await page.locator('.line .time').nth(6).click();
  await page
    .locator('.line .time')
    .nth(2)
    .click({ modifiers: ['Shift'] });
  for (const [kind, what] of [
    ['CSV', 'Selection'],
    ['JSON Lines', 'This view'],
    ['Text', 'every line'],
  ] as const) {
    try {
      await page.getByRole('button', { name: 'Download lines' }).click();
      await page.getByLabel(kind).check();
      const wait = page.waitForEvent('download');
      const button = page.getByRole('button', { name: what });
      console.log(await button.textContent());
      if (kind === 'Text') await page.screenshot({ path: '/tmp/u4/download.png' });
      await button.click();
      const file = await wait;
      const text = readFileSync(await file.path(), 'utf8');
      console.log(
        file.suggestedFilename(),
        text.split('\n').length - 1,
        text.slice(0, 150),
        await page.locator('.status-bar .note').textContent(),
      );
    } catch (e) {
      console.log('FAILED', kind, String(e).slice(0, 300));
    }
    await page.keyboard.press('Escape');
  }
}, 100_000);
