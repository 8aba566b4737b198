import { quoteArgument } from '@logtool/kube/src/values/quote-argument.ts';
import { LEVEL_CHOICES } from '../../../domain/filter.ts';
import { writeFieldExpression } from '../../../domain/search/field-expression.ts';
import { parseSearch, type Term } from '../../../domain/search/search-query.ts';
import type { ViewSource } from '../../worker/protocol/protocol.ts';
import type { CommandLack } from '../state/note.ts';
import type { ConsoleUrl } from '../url/console-url.ts';
import { facetFilterOf, followsAtFirst } from '../url/view-plan.ts';

/** Lines of a view without a range. */
const TAIL_LINES = 1_000;
/** Node facets that flags of the same name cover. */
const OF_NODES = ['node', 'zone', 'region', 'os', 'arch'] as const;

type NamedSource = Pick<ViewSource, 'id' | 'namespace' | 'pod' | 'container'>;

export interface CommandOfView {
  readonly text: string;
  /** The parts of the view that the command does not cover. */
  readonly without: readonly CommandLack[];
}

/** The command that prints the lines of a view, for a POSIX shell; `sources`: the containers of the view. */
export function commandOf(url: ConsoleUrl, sources: readonly NamedSource[]): CommandOfView {
  const levels = levelFlags(url);
  const search = searchFlags(url);
  const fields = fieldFlags(url);
  const flags = [
    { texts: sourceArguments(url, sources), lacks: [] },
    exclusionFlags(url, sources),
    { texts: url.ctx === '' ? [] : ['--kube-context', url.ctx], lacks: [] },
    { texts: rangeFlags(url), lacks: [] },
    { texts: url.rotated === true ? ['--rotated'] : [], lacks: [] },
    levels,
    { texts: OF_NODES.flatMap((name) => listFlags(`--${name}`, url.inc?.[name])), lacks: [] },
    search,
    fields,
    { texts: groupFlags(url, levels, search, fields), lacks: [] },
    { texts: url.tz === undefined ? [] : ['--timezone', url.tz], lacks: [] },
  ];
  return {
    text: ['logtool', 'logs', ...flags.flatMap(({ texts }) => texts)].map(quoteArgument).join(' '),
    without: [...new Set([...flags.flatMap(({ lacks }) => lacks), ...lacksOf(url)])],
  };
}

interface Flags {
  readonly texts: readonly string[];
  readonly lacks: readonly CommandLack[];
}

/** The source arguments of the view, or chosen containers by name. */
function sourceArguments(url: ConsoleUrl, sources: readonly NamedSource[]): readonly string[] {
  const chosen = new Set(url.inc?.container);
  if (chosen.size === 0) return url.src;
  const excluded = new Set(url.exc?.container);
  const named = sources
    .filter(({ id }) => chosen.has(id) && !excluded.has(id))
    .map(({ namespace, pod, container }) => `${namespace}:pods/${pod}/${container}`);
  return named.length === 0 ? url.src : [...new Set(named)];
}

/**
 * Flags for excluded containers: by the pod if all of its containers are excluded, by the name of the container if all of
 * that name are. No flag has one of a pod's containers while another pod has one of that name.
 */
function exclusionFlags({ inc, exc }: ConsoleUrl, sources: readonly NamedSource[]): Flags {
  const excluded = new Set(exc?.container);
  // Chosen containers are arguments by name.
  if (excluded.size === 0 || (inc?.container ?? []).length > 0) return { texts: [], lacks: [] };
  const [containers, pods] = [new Set<string>(), new Set<string>()];
  const areAllExcluded = (isAlike: (other: NamedSource) => boolean) =>
    sources.every((other) => !isAlike(other) || excluded.has(other.id));
  for (const id of excluded) {
    const source = sources.find((each) => each.id === id);
    if (source === undefined) continue;
    if (areAllExcluded(({ pod }) => pod === source.pod)) pods.add(source.pod);
    else if (areAllExcluded(({ container }) => container === source.container))
      containers.add(source.container);
    else return { texts: [], lacks: ['excluded-containers'] };
  }
  const texts = [
    ...listFlags('--exclude-container', [...containers]),
    ...listFlags('--exclude-pod', [...pods]),
  ];
  return { texts, lacks: [] };
}

function rangeFlags(url: ConsoleUrl): readonly string[] {
  const since = url.last ?? url.from;
  const texts = [
    ...(since === undefined ? [] : ['--since', since]),
    ...(url.to === undefined || url.last !== undefined ? [] : ['--until', url.to]),
  ];
  const window = texts.length === 0 ? [`--tail=${TAIL_LINES}`] : ['--all'];
  return [...texts, ...window, ...(followsAtFirst(url) ? ['--follow'] : [])];
}

/** The levels that the facets leave, and the terms of a search of which only the hits are shown. */
function levelFlags(url: ConsoleUrl): Flags {
  const { inc, exc } = url;
  const included = new Set<string>(inc?.level ?? []);
  const excluded = new Set<string>(exc?.level ?? []);
  const chosen = LEVEL_CHOICES.filter(
    (level) => (included.size === 0 || included.has(level)) && !excluded.has(level),
  );
  const terms =
    url.only === true ? termsOf(url).flatMap((term) => (term.kind === 'level' ? [term] : [])) : [];
  const levels = chosen.filter((level) => terms.every(({ levels, not }) => levels.includes(level) !== not));
  // No value of the flag keeps no record at all.
  if (levels.length === 0) return { texts: [], lacks: ['levels'] };
  return { texts: levels.length === LEVEL_CHOICES.length ? [] : ['--level', levels.join(',')], lacks: [] };
}

function listFlags(flag: string, values: readonly string[] = []): readonly string[] {
  return values.length === 0 ? [] : [flag, values.join(',')];
}

function termsOf({ q = '', regex }: ConsoleUrl): readonly Term[] {
  if (q === '') return [];
  return regex === true ? [{ kind: 'text', text: q, not: false }] : parseSearch(q);
}

/**
 * Words and expressions to keep or highlight, and excluded texts with a minus; levels: see levelFlags, fields: see
 * fieldFlags. No flag highlights only lines that meet more than words.
 */
function searchFlags(url: ConsoleUrl): Flags {
  const terms = termsOf(url);
  if (terms.length === 0) return { texts: [], lacks: [] };
  const texts = terms.flatMap((term) => (term.kind === 'text' ? [term] : []));
  const wanted = texts.filter(({ not }) => !not).map(({ text }) => patternOf(text, url));
  const unwanted = texts.filter(({ not }) => not).map(({ text }) => patternOf(text, url));
  const anyCase = url.case === true || texts.length === 0 ? [] : ['--ignore-case'];
  if (url.only !== true) {
    if (wanted.length < terms.length) return { texts: [], lacks: ['search'] };
    return { texts: [...wanted.flatMap((pattern) => ['--highlight', pattern]), ...anyCase], lacks: [] };
  }
  return {
    texts: [
      ...wanted.flatMap((pattern) => ['--grep', pattern]),
      ...(wanted.length > 1 ? ['--all-match'] : []),
      ...unwanted.flatMap((pattern) => ['--exclude', pattern]),
      ...anyCase,
      ...(wanted.length > 0 ? ['--force'] : []),
    ],
    lacks: [],
  };
}

/** Filters by field, and fields of a search of which only the hits are shown. The flag distinguishes upper and lower case. */
function fieldFlags(url: ConsoleUrl): Flags {
  const terms = url.only === true ? termsOf(url).flatMap((term) => (term.kind === 'json' ? [term] : [])) : [];
  const isExact = ({ value }: { readonly value: string }) =>
    url.case === true || value.toLowerCase() === value.toUpperCase();
  const sought = terms.filter(isExact).map(({ path, value, not }) => ({ path, value, exclude: not }));
  const { fields } = facetFilterOf(url);
  const wanted = [...fields, ...sought];
  const written = wanted.flatMap((field) => writeFieldExpression(field) ?? []);
  const isWhole = written.length === fields.length + terms.length;
  return { texts: written.flatMap((text) => ['--where', text]), lacks: isWhole ? [] : ['fields'] };
}

function patternOf(text: string, { regex, word }: ConsoleUrl): string {
  const escaped = regex === true ? text : text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  return word === true ? `\\b(?:${escaped})\\b` : escaped;
}

/** By default the command groups lines only where it keeps some by pattern, level or field; the page with any filter. */
function groupFlags({ flat }: ConsoleUrl, levels: Flags, search: Flags, fields: Flags): readonly string[] {
  if (flat === true) return ['--group', 'never'];
  const groups = levels.texts.length + fields.texts.length > 0 || search.texts.includes('--grep');
  return search.texts.includes('--exclude') && !groups ? ['--group', 'always'] : [];
}

function lacksOf({ inc, exc }: ConsoleUrl): readonly CommandLack[] {
  const lacks: CommandLack[] = [];
  if (OF_NODES.some((name) => (exc?.[name] ?? []).length > 0)) lacks.push('excluded-nodes');
  if ((inc?.run ?? []).length + (exc?.run ?? []).length > 0) lacks.push('runs');
  return lacks;
}
