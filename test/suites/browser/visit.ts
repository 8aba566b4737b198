import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

export interface VisitOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'dark' | 'light';
  readonly timeZone?: string;
  /** Messages on the browser's console that belong to the test: a server that is gone, a refused request. */
  readonly allows?: readonly RegExp[];
  /** In a browser that is open already: its storage and cookies, as a further tab. */
  readonly in?: BrowserContext;
  /** Before the page is loaded. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of the page, on its console, and violations of its policy, that the test does not expect. */
  readonly problems: readonly string[];
}

/** How long something may take to appear before a test gives up. Only guards against waiting forever. */
export const PATIENCE_MS = 30_000;

/** Opens a page and fails the test for whatever the page or its policy complains of. */
export async function openVisit(
  browser: Browser,
  origin: string,
  path: string,
  options: VisitOptions = {},
): Promise<Visit> {
  const { width = 1280, height = 800, theme = 'dark', timeZone = 'UTC', allows = [] } = options;
  const context =
    options.in ??
    (await browser.newContext({
      viewport: { width, height },
      colorScheme: theme,
      timezoneId: timeZone,
      locale: 'en-GB',
      reducedMotion: 'reduce',
    }));
  if (options.in === undefined) {
    context.setDefaultTimeout(PATIENCE_MS);
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin });
    await context.addInitScript(() => {
      addEventListener('securitypolicyviolation', (event) => {
        console.error(`policy violation: ${event.effectiveDirective} ${event.blockedURI} ${event.sample}`);
      });
    });
  }
  const problems: string[] = [];
  const note = (text: string) => {
    // The machine's networks change, which is none of the page's doing; whatever it then lacks fails the test itself.
    if (text.includes('ERR_NETWORK_CHANGED')) return;
    if (!allows.some((pattern) => pattern.test(text))) problems.push(text);
  };
  const watch = (page: Page) => {
    page.on('pageerror', (error) => note(`uncaught: ${error.stack ?? error.message}`));
    page.on('console', (message) => {
      if (message.type() === 'error') note(`${message.text()} (${message.location().url})`);
    });
    page.on('crash', () => note('the page crashed'));
  };
  // Of a browser that is open already the first visit sees every tab.
  if (options.in === undefined) context.on('page', watch);
  const page = await context.newPage();
  onTestFinished(async () => {
    await (options.in === undefined ? context.close() : page.close());
    expect(problems, 'errors of the page').toEqual([]);
  });
  await options.prepare?.(page);
  await page.goto(origin + path, { waitUntil: 'commit' });
  return { page, context, problems };
}
