import type { Workload } from '../../../contract/workload.ts';
import { sourceArgument } from '../source-argument.ts';

/** As many sources as one query of a log stream takes. */
export const OPEN_LIMIT = 200;

export function toggle(selected: readonly string[], source: string): readonly string[] {
  return selected.includes(source) ? selected.filter((other) => other !== source) : [...selected, source];
}

/** The box above the list: every visible row comes in, or, when all are in, every visible row goes out. */
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

/** `3 workloads, 11 pods`; pods that were selected themselves are counted as pods. */
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
  // Named in the URL, and not (or no longer) in the list.
  workloads += wanted.size - known;
  const counts = [workloads > 0 ? plural(workloads, 'workload') : '', plural(pods, 'pod')];
  return counts.filter(Boolean).join(', ');
}

function plural(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}
