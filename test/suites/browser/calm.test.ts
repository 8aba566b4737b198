import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openConsole } from './console-page.ts';
import { eventually } from './eventually.ts';
import { TALK, WEB } from './talk-scenario.ts';
import { openWorld } from './world.ts';

const world = openWorld({ scenario: TALK });

test('counts of facets stay where they are when pointed at, beside the button that excludes', async () => {
  const { page } = await openConsole(world, [WEB]);
  const facet = page.locator('[data-facet="level"]').first();
  const count = facet.locator('.facet-count');
  const before = await count.boundingBox();
  await facet.hover();
  const button = facet.locator('.facet-exclude');
  await eventually(() => button.evaluate((element) => getComputedStyle(element).opacity)).toBe('1');
  expect(await count.boundingBox()).toEqual(before);
  const box = await button.boundingBox();
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(before?.x ?? 0);
});

test('the menu of the console shows all that is in it, where there is room', async () => {
  const { page } = await openConsole(world, [WEB], { width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Columns, wrapping and more' }).click();
  const menu = page.getByRole('dialog').filter({ hasText: 'Wrap long lines' });
  await menu.waitFor();
  expect(await menu.evaluate((at) => at.scrollHeight - at.clientHeight)).toBe(0);
});

test('on a narrow screen shows the names of sources, and the full range', async () => {
  const { page } = await openConsole(world, [WEB, 'shop:statefulsets/db'], { width: 375, height: 812 });
  await eventually(() => cutTexts(page)).toEqual([]);
  await page.setViewportSize({ width: 900, height: 700 });
  await eventually(() => cutTexts(page)).toEqual([]);
});

/** Returns the texts of the bar that do not fit. */
function cutTexts(page: Page): Promise<readonly (string | null)[]> {
  return page
    .locator('.source-chip, header .bar .button')
    .evaluateAll((elements) =>
      elements
        .filter((element) =>
          [element, ...element.children].some(
            (at) => at.scrollWidth > at.clientWidth + 1 && at.clientWidth > 0,
          ),
        )
        .map((element) => element.textContent),
    );
}
