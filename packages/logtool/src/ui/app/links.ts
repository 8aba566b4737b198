import type { ConsoleUrl } from '../console/url/console-url.ts';
import { writeConsoleUrl } from '../console/url/read-console-url.ts';
import { type HomeUrl, writeHomeUrl } from '../home/home-url.ts';
import { formatSearch } from './search-params.ts';

/**
 * Path and query, after the base path, of the console with these sources; `from`: since when, RFC 3339. `more`: what else
 * the address has.
 */
export function consoleHref(
  context: string,
  sources: readonly string[],
  from?: string,
  more: Partial<ConsoleUrl> = {},
): string {
  const since = from === undefined ? {} : { from };
  return `/console${formatSearch(writeConsoleUrl({ ...more, ctx: context, src: sources, ...since }))}`;
}

/** The same of the home page. */
export function homeHref(url: HomeUrl): string {
  return `/${formatSearch(writeHomeUrl(url))}`;
}
