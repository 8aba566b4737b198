import { formatTimestamp } from '@logtool/kube/src/values/timestamp.ts';
import { asksForNone, type Bound, type Window } from '../../domain/window.ts';
import type { EmptyRead } from '../failures.ts';
import { targetText } from './target-text.ts';

/** Reports that there was nothing to print, and in which range; claims only what was read. */
export function emptyText({ window, containers, filtered, searchWasLimited }: EmptyRead): string {
  if (asksForNone(window)) return 'you asked for no records';
  const [only, ...others] = containers;
  if (only === undefined) return 'no records: the containers are gone';
  const of = others.length === 0 ? targetText(only) : `${containers.length} containers`;
  if (searchWasLimited) return `no match in the part of ${of} that logtool searched`;
  const when = windowText(window);
  return filtered ? `no records${when} of ${of} match` : `no records${when} of ${of}`;
}

function windowText({ from, to, sinceSeconds }: Window): string {
  if (sinceSeconds !== undefined && to === undefined) return ` in the last ${durationText(sinceSeconds)}`;
  if (from !== undefined && to !== undefined) return ` between ${boundText(from)} and ${boundText(to)}`;
  if (from !== undefined) return ` ${from.kind === 'inclusive' ? 'since' : 'after'} ${boundText(from)}`;
  if (to !== undefined) return ` ${to.kind === 'inclusive' ? 'until' : 'before'} ${boundText(to)}`;
  return '';
}

function boundText(bound: Bound): string {
  return bound.kind === 'cursor' ? 'the cursor' : formatTimestamp(bound.at);
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** Formats a duration in the largest unit that gives a whole number: `10 minutes`, `hour`. */
function durationText(seconds: number): string {
  const [unit, size] = UNITS.find(([, each]) => seconds % each === 0) ?? (['second', 1] as const);
  const count = seconds / size;
  return count === 1 ? unit : `${count} ${unit}s`;
}
