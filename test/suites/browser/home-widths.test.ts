import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { violationsOf } from './axe.ts';
import { eventually } from './eventually.ts';
import { rowOf } from './home-page.ts';
import { SHOP } from './shop-scenario.ts';
import { openWorld } from './world.ts';

const world = openWorld({ scenario: SHOP });
const BROKEN = 'shop:deployments/broken';

/** Returns the cells and headers whose text does not fit. */
function cutTexts(page: Page): Promise<readonly string[]> {
  return page
    .locator('thead th, tbody tr.row td')
    .evaluateAll((cells) =>
      cells
        .filter((cell) => cell.scrollWidth > cell.clientWidth + 1 && cell.clientWidth > 0)
        .map((cell) => `${cell.className}: ${cell.textContent}`),
    );
}

test('home 3: a row is readable at every width, and zoomed', async () => {
  const { page } = await world.visit('/?ctx=admin', { width: 1440 });
  await rowOf(page, BROKEN).getByText('ImagePullBackOff').waitFor();
  for (const width of [1440, 1400, 1399, 1280, 1161, 1160, 1024, 961, 960, 900, 800, 761, 720, 375, 320]) {
    await page.setViewportSize({ width, height: 800 });
    await eventually(() => cutTexts(page)).toEqual([]);
    const name = await rowOf(page, BROKEN).locator('.c-name').boundingBox();
    expect(name?.width, `name at ${width} px`).toBeGreaterThanOrEqual(100);
    const overflow = await page.locator('.list-scroller').evaluate((at) => at.scrollWidth - at.clientWidth);
    expect(overflow, `list at ${width} px`).toBe(0);
  }
});

test('home 6: mentions nothing unavailable, and shows readable problems, at every width', async () => {
  const { page } = await world.visit('/?ctx=admin', { width: 1440 });
  const what = page.locator(`[data-problem][data-source="${BROKEN}"] .triage-what`);
  await eventually(() => what.innerText()).toMatch(/^\w+ for \d+ (s|min)$/);
  const hint = page.getByText(/in-cluster agent/);
  for (const width of [1440, 1399, 1024, 761, 375]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await hint.count(), `${width} px`).toBe(0);
    await eventually(() => what.evaluate((at) => at.scrollWidth - at.clientWidth)).toBe(0);
    expect((await what.boundingBox())?.width, `${width} px`).toBeGreaterThan(100);
    expect(await violationsOf(page), `${width} px`).toEqual([]);
  }
  await page.getByRole('button', { name: 'Kinds and recent views' }).click();
  await page.getByRole('dialog', { name: 'Workloads' }).waitFor();
  expect(await hint.count()).toBe(0);
});
