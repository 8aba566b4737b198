import { isDeepStrictEqual } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { eventually } from './eventually.ts';
import type { Visit, VisitOptions } from './visit.ts';
import type { World } from './world.ts';

export interface ShownRow {
  readonly entry: number;
  readonly kind: string;
  readonly text: string;
  readonly source: string | undefined;
  readonly level: string | undefined;
  /** Distance from the top of the log, and height, in px. */
  readonly top: number;
  readonly height: number;
}

/** Opens the console with sources (`web` is `shop:deployments/web`) and waits for its first row. */
export async function openConsole(
  world: World,
  sources: readonly string[],
  { query = '', context = 'admin', ...options }: VisitOptions & { query?: string; context?: string } = {},
): Promise<Visit> {
  const visit = await world.visit(consolePath(sources, query, context), options);
  await visit.page.locator('.log-scroll [data-kind="line"]').first().waitFor();
  return visit;
}

export function consolePath(sources: readonly string[], query = '', context = 'admin'): string {
  const params = new URLSearchParams(sources.map((source) => ['src', source]));
  return `/console?ctx=${context}&${params}${query === '' ? '' : `&${query}`}`;
}

/** Returns the visible rows, from top to bottom. */
export function shownRows(page: Page): Promise<readonly ShownRow[]> {
  return page.evaluate(() => {
    const pane = document.querySelector('.log-scroll')?.getBoundingClientRect();
    if (pane === undefined) return [];
    return [...document.querySelectorAll<HTMLElement>('.log-scroll [data-entry]')]
      .map((row) => {
        const { top, bottom, height } = row.getBoundingClientRect();
        const text =
          (row.querySelector('.message') ?? row.querySelector('.ev-text') ?? row).textContent ?? '';
        return {
          entry: Number(row.dataset.entry),
          kind: row.dataset.kind ?? '',
          text,
          source: row.dataset.source,
          level: row.dataset.level,
          top: top - pane.top,
          height,
          isSeen: bottom > pane.top + 1 && top < pane.bottom - 1,
        };
      })
      .filter(({ isSeen }) => isSeen)
      .sort((a, b) => a.top - b.top);
  });
}

export async function shownTexts(page: Page): Promise<readonly string[]> {
  return (await shownRows(page)).map(({ text }) => text);
}

/** Returns the text of the last visible log line; a cluster event may follow it. */
export async function lastLine(page: Page): Promise<string | undefined> {
  return (await shownRows(page)).findLast(({ kind }) => kind === 'line')?.text;
}

export async function lastText(page: Page): Promise<string | undefined> {
  return (await shownTexts(page)).at(-1);
}

export function rowWith(page: Page, text: string): Locator {
  return page.locator('.log-scroll [data-kind="line"]').filter({ hasText: text }).first();
}

export function followButton(page: Page): Locator {
  return page.locator('button.follow');
}

export function log(page: Page): Locator {
  return page.locator('.log-scroll');
}

/** Returns the visible rows once they are stable: scrolling to the newest line ends a frame or two later. */
export function settledRows(page: Page): Promise<readonly ShownRow[]> {
  return settled(page, 2, () => shownRows(page));
}

/**
 * Returns the number of loaded lines once no more arrive: the number updates a few frames after the lines.
 */
export function settledLines(page: Page): Promise<number> {
  return settled(page, 60, () => heldLines(page));
}

/** Returns the address once it no longer changes: it follows the rows in view. */
export function settledAddress(page: Page): Promise<string> {
  return settled(page, 60, async () => page.url());
}

/** Returns a value read from the page, once it has not changed for this many frames. */
async function settled<T>(page: Page, frames: number, read: () => Promise<T>): Promise<T> {
  for (let value = await read(); ; ) {
    await page.evaluate(async (count) => {
      for (let frame = 0; frame < count; frame++) await new Promise(requestAnimationFrame);
    }, frames);
    const next = await read();
    if (isDeepStrictEqual(next, value)) return value;
    value = next;
  }
}

/** Returns the number of lines loaded in the page. */
export function heldLines(page: Page): Promise<number> {
  return page.locator('.console').evaluate((console) => Number((console as HTMLElement).dataset.rowsHeld));
}

/** Copies all lines of the page, from first to last, in the order shown. */
export async function copyEverything(page: Page): Promise<readonly string[]> {
  await log(page).focus();
  await page.keyboard.press('Home');
  await page.getByText('Beginning of logs').waitFor();
  await eventually(() => isAtEdge(page, 'start')).toBe(true);
  await page.locator('.log-scroll [data-kind="line"] .message').first().click();
  await page.keyboard.press('End');
  await eventually(() => isAtEdge(page, 'end')).toBe(true);
  const last = (await shownRows(page)).filter(({ kind }) => kind === 'line').at(-1);
  await page
    .locator(`[data-entry="${last?.entry}"] .message`)
    .click({ modifiers: ['Shift'], position: { x: 2, y: 2 } });
  await page.keyboard.press('c');
  await page
    .getByRole('status', { name: 'Result' })
    .filter({ hasText: /^Copied/ })
    .waitFor();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  return text.replace(/\n$/, '').split('\n');
}

/** Whether the first or the last row of the log is in view. */
function isAtEdge(page: Page, edge: 'start' | 'end'): Promise<boolean> {
  return page.evaluate((edge) => {
    const pane = document.querySelector<HTMLElement>('.log-scroll');
    if (pane === null) return false;
    const total = pane.getAttribute('aria-rowcount');
    const wanted = edge === 'start' ? '1' : total;
    const row = pane.querySelector(`[aria-rowindex="${wanted}"]`)?.getBoundingClientRect();
    const view = pane.getBoundingClientRect();
    return row !== undefined && row.top >= view.top - 1 && row.bottom <= view.bottom + 1;
  }, edge);
}

/** Clicks "Retry now", unless the page's own retry came first and took the button away. */
export async function retryNow(page: Page): Promise<void> {
  await page
    .getByRole('button', { name: 'Retry now' })
    .evaluateAll((buttons) => buttons.map((button) => (button as HTMLElement).click()));
}
