import { useMemo, useSyncExternalStore } from 'react';
import type { Workload } from '../../../contract/workload.ts';
import { globMatches } from '../../../domain/glob.ts';
import type { SourceSpec } from '../../../domain/source-syntax.ts';
import { compareNatural } from '../../../messages/natural-order.ts';
import { isUncertain } from '../../home/feed/denied-scopes.ts';
import type { WorkloadList } from '../../home/feed/workload-store.ts';
import { sourceArgument } from '../../home/list/source-argument.ts';
import { useShell } from '../../shell/shell-context.ts';
import type { ConsoleUrl } from '../url/console-url.ts';

const MAX_SUGGESTIONS = 8;
const ALL: readonly string[] = [];

/** Sources of the cluster that match the typed text, best match first, and how many more match. */
export interface Suggestions {
  readonly sources: readonly string[];
  readonly more: number;
  /** Whether a typed source names a pod that the whole cluster, as the user sees it, does not have. */
  readonly isNothing: (source: SourceSpec) => boolean;
}

/** Suggests workloads and their containers whose source contains the text; without text, workloads. */
export function useSuggestions(url: ConsoleUrl, text: string): Suggestions {
  const { feed } = useShell();
  const { subscribe, list } = feed(url.ctx, ALL);
  const known = useSyncExternalStore(subscribe, list);
  const { workloads } = known;
  const { src } = url;
  const matching = useMemo(() => suggest(workloads.values(), src, text), [workloads, src, text]);
  return { ...matching, isNothing: (source) => isNoPod(source, known) };
}

/**
 * Returns matching sources that are not shown yet: names that start with the text first, workloads before containers.
 */
export function suggest(
  workloads: Iterable<Workload>,
  shown: readonly string[],
  text: string,
): Omit<Suggestions, 'isNothing'> {
  const wanted = text.trim().toLowerCase();
  const found: Candidate[] = [];
  for (const workload of workloads) {
    for (const candidate of candidatesOf(workload, wanted)) {
      if (candidate.source.toLowerCase().includes(wanted) && !shown.includes(candidate.source))
        found.push(candidate);
    }
  }
  const sorted = found
    .map((each) => ({ ...each, distance: distanceOf(each, wanted) }))
    .sort((a, b) => a.distance - b.distance || compareNatural(a.source, b.source));
  return {
    sources: sorted.slice(0, MAX_SUGGESTIONS).map(({ source }) => source),
    more: Math.max(0, sorted.length - MAX_SUGGESTIONS),
  };
}

/** Whether a source is only a name, which no pod has. Unknown pods may have it while parts of the list are missing. */
export function isNoPod(
  { namespace, kind, name }: SourceSpec,
  list: Pick<WorkloadList, 'workloads' | 'isComplete' | 'denied'>,
): boolean {
  if (namespace !== undefined || kind !== undefined || !list.isComplete || isUncertain(list)) return false;
  return ![...list.workloads.values()].some((each) => each.kind === 'pods' && globMatches(name, each.name));
}

interface Candidate {
  readonly source: string;
  /** The name of the workload or container. */
  readonly name: string;
  readonly isContainer: boolean;
}

function candidatesOf(workload: Workload, wanted: string): readonly Candidate[] {
  const source = sourceArgument(workload);
  const own = { source, name: workload.name, isContainer: false };
  const { containers: names = [] } = workload;
  // If the workload matches, its only container is not a separate choice.
  if (wanted === '' || (names.length < 2 && source.toLowerCase().includes(wanted))) return [own];
  const containers = names.map((name) => ({
    source: `${source}/${name}`,
    name,
    isContainer: true,
  }));
  return [own, ...containers];
}

/**
 * 0: the source or its name equals the text; 1: the name starts with it; 2: the source contains it. For containers, 3
 * more.
 */
function distanceOf({ source, name, isContainer }: Candidate, wanted: string): number {
  if (source.toLowerCase() === wanted) return 0;
  const own = name === wanted ? 0 : name.startsWith(wanted) ? 1 : 2;
  return isContainer ? own + 3 : own;
}

interface SourceSuggestionsProps {
  readonly suggestions: Suggestions;
  readonly onPick: (source: string) => void;
}

/** The suggested sources; Enter takes the first one. */
export function SourceSuggestions({ suggestions: { sources, more }, onPick }: SourceSuggestionsProps) {
  if (sources.length === 0) return null;
  return (
    <>
      <ul aria-label="Workloads and containers">
        {sources.map((source) => (
          <li key={source}>
            <button type="button" className="item mono" onClick={() => onPick(source)}>
              {source}
            </button>
          </li>
        ))}
      </ul>
      {more === 0 ? null : <p className="panel-note">{more.toLocaleString('en')} more</p>}
    </>
  );
}
