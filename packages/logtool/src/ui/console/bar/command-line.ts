import { quoteArgument } from '@logtool/kube/src/values/quote-argument.ts';
import { LEVELS } from '../../../domain/filter.ts';
import { parseSearch, type Term } from '../../../domain/search/search-query.ts';
import type { ViewSource } from '../../worker/protocol/protocol.ts';
import type { CommandLack } from '../state/note.ts';
import type { ConsoleUrl } from '../url/console-url.ts';
import { followsAtFirst } from '../url/view-plan.ts';

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
  const flags = [
    { texts: sourceArguments(url, sources), lacks: [] },
    { texts: url.ctx === '' ? [] : ['--kube-context', url.ctx], lacks: [] },
    { texts: rangeFlags(url), lacks: [] },
    { texts: url.rotated === true ? ['--rotated'] : [], lacks: [] },
    levelFlags(url),
    { texts: OF_NODES.flatMap((name) => listFlags(`--${name}`, url.inc?.[name])), lacks: [] },
    searchFlags(url),
    { texts: url.flat === true ? ['--group', 'never'] : [], lacks: [] },
    { texts: url.tz === undefined ? [] : ['--timezone', url.tz], lacks: [] },
  ];
  return {
    text: ['logtool', 'logs', ...flags.flatMap(({ texts }) => texts)].map(quoteArgument).join(' '),
    without: [...flags.flatMap(({ lacks }) => lacks), ...lacksOf(url)],
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
  const named = sources
    .filter(({ id }) => chosen.has(id))
    .map(({ namespace, pod, container }) => `${namespace}:pods/${pod}/${container}`);
  return named.length === 0 ? url.src : [...new Set(named)];
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

function levelFlags({ inc, exc }: ConsoleUrl): Flags {
  const levels = LEVELS.filter((level) => inc?.level?.includes(level));
  const lacks: CommandLack[] = [];
  // The --level flag always excludes lines without a level.
  if (inc?.level?.includes('none') === true) return { texts: [], lacks: ['lines-without-level'] };
  if ((exc?.level ?? []).length > 0) lacks.push('excluded-levels');
  return { texts: listFlags('--level', levels), lacks };
}

function listFlags(flag: string, values: readonly string[] = []): readonly string[] {
  return values.length === 0 ? [] : [flag, values.join(',')];
}

/** Covers one word or expression to keep or highlight, and excluded texts with a minus. */
function searchFlags(url: ConsoleUrl): Flags {
  const { q = '' } = url;
  if (q === '') return { texts: [], lacks: [] };
  const none: Flags = { texts: [], lacks: ['search'] };
  const terms: readonly Term[] =
    url.regex === true ? [{ kind: 'text', text: q, not: false }] : parseSearch(q);
  const plain = terms.flatMap((term) => (term.kind === 'text' ? [term] : []));
  const wanted = plain.filter(({ not }) => !not);
  if (plain.length < terms.length || wanted.length > 1) return none;
  const pattern = (text: string) => {
    const escaped = url.regex === true ? text : text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    return url.word === true ? `\\b(?:${escaped})\\b` : escaped;
  };
  const flag = url.only === true ? '--grep' : '--highlight';
  const unwanted = plain.filter(({ not }) => not);
  if (unwanted.length > 0 && url.only !== true) return none;
  return {
    texts: [
      ...wanted.flatMap(({ text }) => [flag, pattern(text)]),
      ...unwanted.flatMap(({ text }) => ['--exclude', pattern(text)]),
      ...(url.case === true ? [] : ['--ignore-case']),
      ...(url.only === true ? ['--force'] : []),
    ],
    lacks: [],
  };
}

function lacksOf({ inc, exc, fields = [] }: ConsoleUrl): readonly CommandLack[] {
  const lacks: CommandLack[] = [];
  if ((exc?.container ?? []).length > 0) lacks.push('excluded-containers');
  if (OF_NODES.some((name) => (exc?.[name] ?? []).length > 0)) lacks.push('excluded-nodes');
  if ((inc?.run ?? []).length + (exc?.run ?? []).length > 0) lacks.push('runs');
  if (fields.length > 0) lacks.push('fields');
  return lacks;
}
