import { useSyncExternalStore } from 'react';
import { useShell } from '../../app/shell-context.ts';
import { sourceArgument } from '../../home/source-argument.ts';
import type { ConsoleUrl } from '../url/console-url.ts';

const MAX_SUGGESTIONS = 8;
const ALL: readonly string[] = [];

interface SourceSuggestionsProps {
  readonly url: ConsoleUrl;
  readonly text: string;
  readonly onPick: (source: string) => void;
}

/** Workloads of the cluster whose name has what was typed. */
export function SourceSuggestions({ url, text, onPick }: SourceSuggestionsProps) {
  const { feed } = useShell();
  const { subscribe, list } = feed(url.ctx, ALL);
  const { workloads } = useSyncExternalStore(subscribe, list);
  const wanted = text.trim().toLowerCase();
  const found: string[] = [];
  for (const workload of workloads.values()) {
    const source = sourceArgument(workload);
    if (!source.toLowerCase().includes(wanted) || url.src.includes(source)) continue;
    found.push(source);
    if (found.length === MAX_SUGGESTIONS) break;
  }
  if (found.length === 0) return null;
  return (
    <ul aria-label="Workloads">
      {found.map((source) => (
        <li key={source}>
          <button type="button" className="item mono" onClick={() => onPick(source)}>
            {source}
          </button>
        </li>
      ))}
    </ul>
  );
}
