import { CodedError } from '@logtool/kube/src/values/coded-error.ts';
import type { ContextList } from '../../contract/cluster.ts';
import type { Workload } from '../../contract/workload.ts';
import { parseSource } from '../../domain/source-syntax.ts';
import { compareNatural } from '../../messages/natural-order.ts';
import type { StoredView } from '../frame/stored-views.ts';
import { matches, searchTerms } from '../home/list/search.ts';
import { sourceArgument } from '../home/list/source-argument.ts';
import { readHomeUrl } from '../home/url/home-url.ts';
import { consoleHref, homeHref } from '../shell/links.ts';

/** One line of the palette: a place to go to, or something to do. */
export interface Command {
  readonly id: string;
  readonly group: 'Workloads' | 'Views' | 'Contexts' | 'Actions';
  readonly name: string;
  readonly note: string;
  readonly does: { readonly go: string } | { readonly run: () => void };
}

interface Sources {
  readonly context: string | undefined;
  readonly workloads: Iterable<Workload>;
  readonly views: readonly StoredView[];
  readonly contexts: ContextList | undefined;
  readonly actions: readonly Command[];
}

/** More than users read; they narrow the query instead. */
const LIMIT = 50;

/**
 * Returns the lines that match a query: each line contains every word; names with the word as a prefix come
 * first.
 */
export function findCommands(query: string, sources: Sources): readonly Command[] {
  const terms = searchTerms(query);
  const { context } = sources;
  const found: Command[] = [];
  if (context !== undefined && terms.length > 0) {
    const hits = [...sources.workloads].filter((workload) => matches(workload, terms));
    const first = terms[0] ?? '';
    const rank = (workload: Workload) =>
      (workload.name === first ? 0 : workload.name.startsWith(first) ? 1 : 2) +
      (workload.ownerId === undefined ? 0 : 3);
    hits.sort((a, b) => rank(a) - rank(b) || compareNatural(a.name, b.name));
    for (const workload of hits.slice(0, LIMIT)) {
      found.push({
        id: `workload ${workload.id}`,
        group: 'Workloads',
        name: workload.name,
        note: `${workload.namespace} · ${workload.kindName}`,
        does: { go: consoleHref(context, [sourceArgument(workload)]) },
      });
    }
  }
  const typed = query.trim();
  if (context !== undefined && isSource(typed)) {
    // Users can still open workloads by name that they cannot list.
    const does = { go: consoleHref(context, [typed]) };
    found.push({ id: 'typed', group: 'Workloads', name: typed, note: 'logs by name', does });
  }
  const rest: Command[] = [
    ...sources.views.map((view): Command => {
      return {
        id: `view ${view.name} ${view.href}`,
        group: 'Views',
        name: view.name,
        note: '',
        does: { go: view.href },
      };
    }),
    ...(sources.contexts?.contexts ?? [])
      .filter(({ name }) => name !== context)
      .map(({ name, server }): Command => {
        const to = homeHref({ ...readHomeUrl({}), ctx: name });
        return { id: `context ${name}`, group: 'Contexts', name, note: server, does: { go: to } };
      }),
    ...sources.actions,
  ];
  const fits = ({ name, note, group }: Command) => {
    const text = `${name} ${note} ${group}`.toLowerCase();
    return terms.every((term) => text.includes(term));
  };
  return [...found, ...rest.filter(fits)];
}

/** Whether the text is a complete source argument of the command line: `shop:web-0`, `deployments/web`. */
function isSource(text: string): boolean {
  if (!/[:/]./.test(text)) return false;
  try {
    parseSource(text);
    return true;
  } catch (error) {
    if (error instanceof CodedError) return false;
    throw error;
  }
}
