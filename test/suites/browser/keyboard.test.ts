import { expect, test } from 'vitest';
import { colorsOf } from './colors.ts';
import { lastText } from './console-page.ts';
import { eventually } from './eventually.ts';
import { focused, listReady } from './home-page.ts';
import { TALK } from './talk-scenario.ts';
import { openWorld } from './world.ts';

const world = openWorld({ scenario: TALK });

test('the whole job only by keyboard: find a workload, open it, search, copy a link to the line', async () => {
  await world.cluster.control.writeLines({
    workload: 'deployments/web',
    text: ['level=error needle in here', 'level=info behind it'],
  });
  const { page } = await world.visit('/');
  await listReady(page);
  await page.keyboard.press('/');
  await page.keyboard.type('web');
  await eventually(() => page.locator('tbody tr[data-source]').count()).toBe(1);
  await page.keyboard.press('ArrowDown');
  await eventually(() => focused(page)).toBe('shop:deployments/web');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/console\?/);
  await eventually(() => lastText(page)).toBe('level=info behind it');
  await page.keyboard.press('/');
  await page.keyboard.type('needle');
  await eventually(() => page.getByRole('status', { name: 'Search' }).textContent()).toMatch(/1 hit/);
  await page.keyboard.press('Enter');
  await eventually(() => page.locator('.log-scroll .cur .message').textContent()).toBe(
    'level=error needle in here',
  );
  await page.keyboard.press('Escape');
  await page.keyboard.press('l');
  await page.getByText('Copied a link to this line').waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const { page: other } = await world.visit(link.slice(world.server.origin.length));
  await eventually(() => other.locator('.log-scroll .cur .message').textContent()).toBe(
    'level=error needle in here',
  );
});

test('every control of both pages is reached by Tab and shows that it has the focus', async () => {
  const { page } = await world.visit('/');
  await listReady(page);
  for (const path of ['home', 'console'] as const) {
    if (path === 'console') {
      await page.locator('tbody a.row-link').first().click();
      await page.waitForURL(/\/console\?/);
      await page.locator('.log-scroll [data-kind="line"]').first().waitFor();
      // Opening focuses the log; the test starts at the top of the page.
      await page.locator('header a').first().focus();
    }
    const seen = new Set<string>();
    for (let stops = 0; stops < 60; stops++) {
      await page.keyboard.press('Tab');
      const stop = await page.evaluate(() => {
        const { activeElement: element } = document;
        if (element === null || element === document.body) return undefined;
        const { outlineStyle, outlineWidth, boxShadow, borderColor } = getComputedStyle(element);
        const ring = (style: CSSStyleDeclaration) =>
          (style.outlineStyle !== 'none' && style.outlineWidth !== '0px') || style.boxShadow !== 'none';
        const label = element.closest('label');
        const row = element.closest('tr, .find, .search-field');
        const isShown =
          [element, label, row, element.parentElement].some(
            (around) => around !== null && ring(getComputedStyle(around)),
          ) || ring(getComputedStyle(element, '::after'));
        const name = element.getAttribute('aria-label') ?? element.textContent ?? element.tagName;
        return {
          name: name.slice(0, 40),
          isShown,
          outline: [outlineStyle, outlineWidth, boxShadow, borderColor].join(' '),
        };
      });
      if (stop === undefined) break;
      expect(stop.isShown, `${path}: ${stop.name} (${stop.outline})`).toBe(true);
      seen.add(stop.name);
    }
    expect(seen.size, [...seen].join(', ')).toBeGreaterThan(8);
  }
});

test('the frame of the log that has the focus is drawn all around, over its rows', async () => {
  const { page } = await world.visit('/console?ctx=admin&src=shop:deployments/web');
  await eventually(() => page.locator('.log-scroll [data-kind="line"]').count()).toBeGreaterThan(20);
  await page.locator('.log-scroll').focus();
  // The focus frame appears for keyboard users.
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  const { x, y, width, height } = (await page.locator('.log-area').boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  };
  const sides = {
    left: { x, y, width: 1, height },
    right: { x: x + width - 1, y, width: 1, height },
    top: { x, y, width, height: 1 },
    bottom: { x, y: y + height - 1, width, height: 1 },
  };
  for (const [side, clip] of Object.entries(sides))
    expect(await colorsOf(page, clip), side).toEqual([ACCENT]);
});

const ACCENT = '79,195,161';
