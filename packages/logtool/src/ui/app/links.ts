import { writeConsoleUrl } from '../console/url/read-console-url.ts';
import { type HomeUrl, writeHomeUrl } from '../home/home-url.ts';
import { formatSearch } from './search-params.ts';

/** Path and query, after the base path, of the console with these sources. */
export function consoleHref(context: string, sources: readonly string[]): string {
  return `/console${formatSearch(writeConsoleUrl({ ctx: context, src: sources }))}`;
}

/** The same of the home page. */
export function homeHref(url: HomeUrl): string {
  return `/${formatSearch(writeHomeUrl(url))}`;
}
