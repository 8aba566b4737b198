import type { Locator, Page } from 'playwright-core';

/** Returns the source arguments of the drawn rows, from top to bottom. */
export function rowSources(page: Page): Promise<readonly string[]> {
  return page
    .locator('tbody tr[data-source]')
    .evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.source ?? ''));
}

export function rowOf(page: Page, source: string): Locator {
  return page.locator(`tbody tr[data-source="${source}"]`);
}

/** Waits until the list has rows. */
export async function listReady(page: Page): Promise<void> {
  await page.locator('tbody tr[data-source]').first().waitFor();
}

export function searchField(page: Page): Locator {
  return page.getByRole('searchbox', { name: 'Find a workload' });
}

/** Describes the focused element in a form that tests can compare. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { activeElement: element } = document;
    if (element === null || element === document.body) return 'nothing';
    const row = element.closest('tr')?.dataset.source;
    return row ?? element.getAttribute('aria-label') ?? element.textContent ?? element.tagName;
  });
}
