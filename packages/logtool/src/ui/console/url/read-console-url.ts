import { parseColumn } from '../../../domain/columns.ts';
import { allOf, oneOf, type SearchParams } from '../../frame/search-params.ts';
import { FACET_NAMES, type FacetName } from '../../worker/protocol/facet-table.ts';
import { type ConsoleColumn, type ConsoleUrl, type Pin, SWITCHES } from './console-url.ts';

/** A link may hold anything: values longer than any real one are dropped. */
const LIMIT_VALUES = 200;
const LIMIT_CHARS = 2_000;
const TEXTS = ['last', 'from', 'to', 'q', 'tz', 'line'] as const;
type Fields = { -readonly [K in keyof ConsoleUrl]: ConsoleUrl[K] };

/** Reads the console's state from the query of its URL. Never throws. */
export function readConsoleUrl(params: SearchParams): ConsoleUrl {
  const one = (name: string) => oneOf(params, name)?.slice(0, LIMIT_CHARS);
  const all = (name: string) =>
    allOf(params, name)
      .filter((value) => value !== '' && value.length <= LIMIT_CHARS)
      .slice(0, LIMIT_VALUES);
  const url: Fields = { ctx: one('ctx') ?? '', src: [...new Set(all('src'))] };
  for (const name of TEXTS) {
    const value = one(name);
    if (value !== undefined && value !== '') url[name] = value;
  }
  for (const name of ['follow', ...SWITCHES] as const) {
    const value = one(name);
    if (value === '1' || value === '0') url[name] = value === '1';
  }
  const inc = readFacets('inc', all);
  const exc = readFacets('exc', all);
  if (inc !== undefined) url.inc = inc;
  if (exc !== undefined) url.exc = exc;
  const fields = all('field').filter((field) => field.includes('='));
  if (fields.length > 0) url.fields = fields;
  Object.assign(url, readEvents(one('events'), all('mute')));
  const pins = readPins(all('pin'));
  if (pins.length > 0) url.pins = pins;
  if (params.col !== undefined) url.cols = all('col').flatMap(readColumn);
  return url;
}

function readEvents(
  events: string | undefined,
  mute: readonly string[],
): Pick<ConsoleUrl, 'events' | 'mute'> {
  return {
    ...(events === 'none' || events === 'all' ? { events } : {}),
    ...(mute.length > 0 ? { mute: [...new Set(mute)] } : {}),
  };
}

/** Writes the query that readConsoleUrl reads back. Defaults are omitted. */
export function writeConsoleUrl(url: ConsoleUrl): SearchParams {
  const params: Record<string, string | readonly string[]> = { ctx: url.ctx, src: url.src };
  for (const name of TEXTS) {
    const value = url[name];
    if (value !== undefined && value !== '') params[name] = value;
  }
  if (url.follow !== undefined) params.follow = url.follow ? '1' : '0';
  for (const name of SWITCHES) if (url[name] === true) params[name] = '1';
  if (url.events !== undefined) params.events = url.events;
  writeFacets('inc', url.inc, params);
  writeFacets('exc', url.exc, params);
  writeLists(url, params);
  return params;
}

function writeLists(url: ConsoleUrl, params: Record<string, string | readonly string[]>): void {
  if (url.mute !== undefined && url.mute.length > 0) params.mute = url.mute;
  if (url.fields !== undefined && url.fields.length > 0) params.field = url.fields;
  if (url.pins !== undefined && url.pins.length > 0)
    params.pin = url.pins.map(({ link, note }) => (note === '' ? link : `${link} ${note}`));
  // Having no columns is a choice too: written as an empty value, because a query omits a list without values.
  if (url.cols !== undefined) params.col = url.cols.length > 0 ? url.cols : '';
}

function writeFacets(
  kind: 'inc' | 'exc',
  values: ConsoleUrl['inc'] = {},
  params: Record<string, string | readonly string[]>,
): void {
  for (const facet of FACET_NAMES) {
    const chosen = values[facet] ?? [];
    if (chosen.length > 0) params[`${kind}.${facet}`] = chosen;
  }
}

function readFacets(kind: 'inc' | 'exc', all: (name: string) => readonly string[]): ConsoleUrl['inc'] {
  const facets: Partial<Record<FacetName, readonly string[]>> = {};
  for (const facet of FACET_NAMES) {
    const values = all(`${kind}.${facet}`);
    if (values.length > 0) facets[facet] = values;
  }
  return Object.keys(facets).length > 0 ? facets : undefined;
}

function readColumn(text: string): ConsoleColumn[] {
  if (/^json:./.test(text)) return [text as ConsoleColumn];
  const column = parseColumn(text);
  return column === undefined ? [] : [column];
}

/** Reads `LINK NOTE`; a link has no blank. Keeps each line once. */
function readPins(values: readonly string[]): readonly Pin[] {
  const pins = new Map<string, Pin>();
  for (const value of values) {
    const [link = ''] = value.split(' ', 1);
    if (link.includes('~') && !pins.has(link)) pins.set(link, { link, note: value.slice(link.length + 1) });
  }
  return [...pins.values()];
}
