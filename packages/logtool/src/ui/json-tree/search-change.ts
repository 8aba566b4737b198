import type { ConsoleUrl } from '../console/url/console-url.ts';

type SearchChange = { readonly [K in keyof ConsoleUrl]?: ConsoleUrl[K] | undefined };

/** Adds a text, or its exclusion, to the search; a second call removes it. */
export function textChange(
  url: Pick<ConsoleUrl, 'q' | 'regex' | 'only'>,
  text: string,
  isExcluded: boolean,
): SearchChange {
  const before = withoutTerms(url, text);
  const isOn = hasTerm(url, text, isExcluded);
  const q = isOn ? before : `${before} ${termOf(text, isExcluded)}`.trim();
  return { q: q === '' ? undefined : q, regex: undefined, only: true };
}

/** Includes or excludes a value of a field; a second call removes the filter. */
export function fieldChange(
  url: Pick<ConsoleUrl, 'fields'>,
  { path, value }: { readonly path: string; readonly value: string },
  isExcluded: boolean,
): { readonly fields?: readonly string[] } {
  const own = `${path}=${value}`;
  const wanted = isExcluded ? `!${own}` : own;
  const fields = url.fields ?? [];
  const others = fields.filter((field) => field !== own && field !== `!${own}`);
  return { fields: fields.includes(wanted) ? others : [...others, wanted] };
}

/** Whether the search includes, or excludes, lines with the text. */
export function hasTerm(
  { q = '', regex }: Pick<ConsoleUrl, 'q' | 'regex'>,
  text: string,
  isExcluded: boolean,
): boolean {
  return regex !== true && ` ${q} `.includes(` ${termOf(text, isExcluded)} `);
}

/** Returns a search for all lines with a value, from all sources of the view, without other filters. */
export function everywhereChange(value: string): SearchChange {
  const none = {
    case: undefined,
    word: undefined,
    regex: undefined,
    inc: undefined,
    exc: undefined,
    fields: undefined,
  };
  return { ...none, q: termOf(value, false), only: true };
}

/** Drops a regular expression: it cannot be combined with other terms. */
function withoutTerms({ q = '', regex }: Pick<ConsoleUrl, 'q' | 'regex'>, text: string): string {
  if (regex === true) return '';
  const terms = [termOf(text, true), termOf(text, false)];
  return terms.reduce((left, term) => ` ${left} `.replace(` ${term} `, ' ').trim(), q);
}

function termOf(text: string, isExcluded: boolean): string {
  return `${isExcluded ? '-' : ''}"${text.replace(/[\\"]/g, '\\$&')}"`;
}
