import type { Workload } from '../../../contract/workload.ts';
import { sourceArgument } from './source-argument.ts';

/** Maximum number of sources in one query of a log stream. */
export const OPEN_LIMIT = 200;

export function toggle(selected: readonly string[], source: string): readonly string[] {
  return selected.includes(source) ? selected.filter((other) => other !== source) : [...selected, source];
}

/**
 * Toggles the checkbox above the list: selects every visible row, or, if all are selected, deselects them.
 */
export function toggleVisible(selected: readonly string[], visible: readonly Workload[]): readonly string[] {
  const sources = visible.map(sourceArgument);
  const before = new Set(selected);
  if (sources.every((source) => before.has(source))) {
    const out = new Set(sources);
    return selected.filter((source) => !out.has(source));
  }
  return [...selected, ...sources.filter((source) => !before.has(source))];
}

export type BoxState = 'none' | 'some' | 'all';

export function boxState(selected: ReadonlySet<string>, visible: readonly Workload[]): BoxState {
  let count = 0;
  for (const workload of visible) if (selected.has(sourceArgument(workload))) count++;
  return count === 0 ? 'none' : count === visible.length ? 'all' : 'some';
}

/** Returns `3 workloads, 11 pods`; pods that are selected themselves count as pods. */
export function describeSelection(selected: readonly string[], all: Iterable<Workload>): string {
  const wanted = new Set(selected);
  let workloads = 0;
  let pods = 0;
  let known = 0;
  for (const workload of all) {
    if (!wanted.has(sourceArgument(workload))) continue;
    known++;
    if (workload.kind !== 'pods') workloads++;
    pods += workload.kind === 'pods' ? 1 : workload.podsTotal;
  }
  // Sources in the URL that are not, or no longer, in the list.
  workloads += wanted.size - known;
  const counts = [workloads > 0 ? plural(workloads, 'workload') : '', plural(pods, 'pod')];
  return counts.filter(Boolean).join(', ');
}

function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
