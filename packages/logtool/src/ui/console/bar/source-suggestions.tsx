import { useSyncExternalStore } from 'react';
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

/** Workloads whose source has the text: those whose name begins with it come first. */
export function useSuggestions(url: ConsoleUrl, text: string): Suggestions {
  const { feed } = useShell();
  const { subscribe, list } = feed(url.ctx, ALL);
  const { workloads } = useSyncExternalStore(subscribe, list);
  const wanted = text.trim().toLowerCase();
  const found = [...workloads.values()]
    .map((workload) => ({ source: sourceArgument(workload), name: workload.name }))
    .filter(({ source }) => source.toLowerCase().includes(wanted) && !url.src.includes(source))
    .map((each) => ({ ...each, distance: distanceOf(each, wanted) }))
    .sort((a, b) => a.distance - b.distance || compareNatural(a.source, b.source));
  return {
    sources: found.slice(0, MAX_SUGGESTIONS).map(({ source }) => source),
    more: Math.max(0, found.length - MAX_SUGGESTIONS),
  };
}

/** 0: it is what was typed, or its name is; 1: its name begins so; 2: it is somewhere in it. */
function distanceOf(
  { source, name }: { readonly source: string; readonly name: string },
  wanted: string,
): number {
  if (source.toLowerCase() === wanted || name === wanted) return 0;
  return name.startsWith(wanted) ? 1 : 2;
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
      <ul aria-label="Workloads">
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
