import type { ConsoleUrl } from '../console/url/console-url.ts';
import { writeConsoleUrl } from '../console/url/read-console-url.ts';
import { formatSearch } from '../frame/search-params.ts';
import { type HomeUrl, writeHomeUrl } from '../home/url/home-url.ts';

/**
 * Returns the path and query, after the base path, of the console with these sources. `from`: start time, RFC
 * 3339. `more`: the rest of the address.
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

/** Returns the path and query of the home page, after the base path. */
export function homeHref(url: HomeUrl): string {
  return `/${formatSearch(writeHomeUrl(url))}`;
}
