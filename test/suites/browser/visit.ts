import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

export interface VisitOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: 'dark' | 'light';
  readonly timeZone?: string;
  /** Messages on the browser's console that the test expects: a stopped server, a refused request. */
  readonly allows?: readonly RegExp[];
  /** Opens another tab of an open browser, with its storage and cookies. */
  readonly in?: BrowserContext;
  /** Runs before the page loads. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

export interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Errors of the page, on its console, and violations of its policy, that the test does not expect. */
  readonly problems: readonly string[];
}

/** How long a test waits for something to appear; only guards against hangs. */
export const PATIENCE_MS = 30_000;

/** Opens a page; the test fails on any error of the page or violation of its policy. */
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
    // A change of the machine's networks is not the page's fault; if the page then lacks something, the test
    // itself fails.
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
  // In an open browser, the first visit already watches every tab.
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
