import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { consolePath } from './console-page.ts';
import { eventually } from './eventually.ts';
import { openWorld } from './world.ts';

const world = openWorld({ scenario: 'scenarios/minimal.yaml' });

/** The browser treats all its tabs as visible, so the test hides one after another. */
const prepare = (page: Page) =>
  page.addInitScript(() => {
    let isHidden = false;
    Object.defineProperty(document, 'visibilityState', { get: () => (isHidden ? 'hidden' : 'visible') });
    addEventListener('test-hides', (event) => {
      isHidden = (event as CustomEvent<boolean>).detail;
      document.dispatchEvent(new Event('visibilitychange'));
    });
  });

const hide = (page: Page, isHidden: boolean) =>
  page.evaluate((detail) => {
    dispatchEvent(new CustomEvent('test-hides', { detail }));
  }, isHidden);

const write = (text: string) =>
  world.cluster.writeLog(
    { namespace: 'default', pod: 'db-0', container: 'postgres' },
    { bytes: Buffer.from(text) },
  );

const timesShown = (page: Page, text: string) =>
  page.locator('[data-kind="line"]', { hasText: text }).count();

test('ten tabs with logs are open in one browser, which allows six connections; each resumes when it is visible', async () => {
  const path = consolePath(['default:pods/db-0']);
  const first = await world.visit(path, { prepare });
  const pages = [first.page];
  for (let number = 1; number < 10; number++) {
    await pages.at(-1)?.locator('[data-kind="line"]').first().waitFor();
    await hide(pages.at(-1) ?? first.page, true);
    const { page } = await world.visit(path, { prepare, in: first.context });
    pages.push(page);
  }
  const last = pages.at(-1) ?? first.page;
  await write('while the first tab was behind the others');
  await last.locator('[data-kind="line"]', { hasText: 'while the first tab' }).waitFor();
  await eventually(async () => world.server.openStreams).toBeLessThanOrEqual(4);
  expect(await timesShown(first.page, 'while the first tab')).toBe(0);
  await hide(last, true);
  await hide(first.page, false);
  await first.page.locator('[data-kind="line"]', { hasText: 'while the first tab' }).waitFor();
  await write('now that it is seen again');
  await first.page.locator('[data-kind="line"]', { hasText: 'now that it is seen' }).waitFor();
  expect(await timesShown(first.page, 'while the first tab')).toBe(1);
  expect(await first.page.getByText('lost for').count()).toBe(0);
});

test('four windows side by side stay usable: those opened last leave their events', async () => {
  const path = consolePath(['default:pods/db-0']);
  const first = await world.visit(path, { prepare });
  const pages = [first.page];
  for (let number = 1; number < 4; number++) {
    await pages.at(-1)?.locator('[data-kind="line"]').first().waitFor();
    pages.push((await world.visit(path, { prepare, in: first.context })).page);
  }
  const last = pages.at(-1) ?? first.page;
  await write('for all windows');
  for (const page of pages)
    await page.locator('[data-kind="line"]', { hasText: 'for all windows' }).waitFor();
  await last.getByText('other windows use the connections').waitFor();
  await eventually(async () => world.server.openStreams).toBeLessThanOrEqual(4);
});
