import { useMemo, useSyncExternalStore } from 'react';
import type { Workload } from '../../../contract/workload.ts';
import { compareNatural } from '../../../messages/natural-order.ts';
import { useShell } from '../../app/shell-context.ts';
import { sourceArgument } from '../../home/source-argument.ts';
import type { ConsoleUrl } from '../url/console-url.ts';

const MAX_SUGGESTIONS = 8;
const ALL: readonly string[] = [];

/** Sources of the cluster that have what was typed, the nearest first, and how many more there are. */
export interface Suggestions {
  readonly sources: readonly string[];
  readonly more: number;
}

/** Workloads and their containers whose source has the text; without any, workloads. */
export function useSuggestions(url: ConsoleUrl, text: string): Suggestions {
  const { feed } = useShell();
  const { subscribe, list } = feed(url.ctx, ALL);
  const { workloads } = useSyncExternalStore(subscribe, list);
  const { src } = url;
  return useMemo(() => suggest(workloads.values(), src, text), [workloads, src, text]);
}

/** The sources that have the text and are not shown yet: names that begin with it first, workloads before containers. */
export function suggest(workloads: Iterable<Workload>, shown: readonly string[], text: string): Suggestions {
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

interface Candidate {
  readonly source: string;
  /** Of the workload or the container. */
  readonly name: string;
  readonly isContainer: boolean;
}

function candidatesOf(workload: Workload, wanted: string): readonly Candidate[] {
  const source = sourceArgument(workload);
  const own = { source, name: workload.name, isContainer: false };
  const { containers: names = [] } = workload;
  // The only container of a workload that is found anyway is no other choice.
  if (wanted === '' || (names.length < 2 && source.toLowerCase().includes(wanted))) return [own];
  const containers = names.map((name) => ({
    source: `${source}/${name}`,
    name,
    isContainer: true,
  }));
  return [own, ...containers];
}

/** 0: it is what was typed, or its name is; 1: its name begins so; 2: it is somewhere in it. Containers follow, each so. */
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
