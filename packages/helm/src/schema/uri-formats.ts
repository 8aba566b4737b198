import { type GoUrl, hostname, parseUrl } from '../functions/sprig/address/go-url.ts';
import { GoError } from '../template/errors.ts';
import { ipv6Problem } from './address-formats.ts';
import { within } from './format-problem.ts';

/** Checks RFC 3986 section 4.3. */
export function uriProblem(text: string): string | undefined {
  const url = urlOf(text);
  if (typeof url === 'string') return url;
  return url.scheme === '' ? 'relative url' : undefined;
}

/** Checks RFC 3986 section 4.1. */
export function uriReferenceProblem(text: string): string | undefined {
  if (text.includes('\\')) return 'contains \\';
  const url = urlOf(text);
  return typeof url === 'string' ? url : undefined;
}

/** Checks one rule of RFC 6570: braces are paired within a path segment. */
export function uriTemplateProblem(text: string): string | undefined {
  const url = urlOf(text);
  if (typeof url === 'string') return url;
  const path = text.replace(/[?#].*$/s, '').replace(/^(?:[A-Za-z][\w+.-]*:)?(?:\/\/[^/]*)?/, '');
  if (!/[{}]/.test(path)) return undefined;
  for (const segment of path.split('/')) {
    let isOpen = false;
    for (const brace of segment.replace(/%7B/gi, '{').replace(/%7D/gi, '}').replace(/[^{}]/g, '')) {
      if (isOpen === (brace === '{')) return 'nested curly braces';
      isOpen = !isOpen;
    }
    if (isOpen) return 'no matching closing brace';
  }
  return undefined;
}

/** Returns the URL as Go splits it, or the problem. */
function urlOf(text: string): GoUrl | string {
  try {
    const url = parseUrl(text);
    const name = hostname(url.host);
    if (!name.includes(':')) return url;
    if (!url.host.includes('[') || !url.host.includes(']')) return 'ipv6 address not enclosed in brackets';
    return within('invalid ipv6 address', ipv6Problem(name)) ?? url;
  } catch (error) {
    if (error instanceof GoError) return error.message;
    throw error;
  }
}
