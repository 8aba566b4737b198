import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { followButton, lastText, openConsole } from './console-page.ts';
import { eventually } from './eventually.ts';
import { TALK, WEB } from './talk-scenario.ts';
import { openWorld } from './world.ts';

const world = openWorld({ scenario: TALK });

const write = (text: string) =>
  world.cluster.control.writeLines({ workload: 'deployments/web', text: [text] });
const scope = (page: Page) => page.locator('.facet-scope').first().textContent();
const result = (page: Page) => page.getByRole('status', { name: 'Search' }).textContent();
const rangeFrom = (agoMs: number, toMs: number) =>
  `from=${new Date(Date.now() - agoMs).toISOString()}&to=${new Date(toMs).toISOString()}&tz=utc`;

test('a link whose range ends tomorrow is live until then: lines, counts, search', async () => {
  const query = rangeFrom(600_000, Date.now() + 86_400_000);
  const { page } = await openConsole(world, [WEB], { query });
  await eventually(() => scope(page)).toMatch(/^Counts in (\S+ )?\S+ to now$/);
  expect(new URL(page.url()).searchParams.has('to')).toBe(true);
  await followButton(page).click();
  await eventually(() => followButton(page).getAttribute('aria-pressed')).toBe('true');
  await write('needle tomorrow');
  await eventually(() => lastText(page)).toBe('needle tomorrow');
  await page.getByRole('searchbox', { name: 'Search in the logs' }).fill('needle tomorrow');
  await eventually(() => result(page)).toMatch(/^1 hit in (\S+ )?\S+ to now$/);
});

test('when the end of the range passes, the view ends there', async () => {
  const endMs = Date.now() + 5_000;
  const { page } = await openConsole(world, [WEB], { query: `${rangeFrom(600_000, endMs)}&follow=1` });
  const end = new Date(endMs).toISOString().slice(11, 19);
  await eventually(() => scope(page)).toMatch(new RegExp(`^Counts in [^ ]*(?: [^ ]*)? to (?:\\S+ )?${end}`));
  await write('too late for the range');
  await page.getByRole('searchbox', { name: 'Search in the logs' }).fill('too late for the range');
  await eventually(() => result(page)).toMatch(new RegExp(`^0 hits in .* to (?:\\S+ )?${end}`));
  expect(await page.getByText('ended', { exact: true }).count()).toBe(1);
});
