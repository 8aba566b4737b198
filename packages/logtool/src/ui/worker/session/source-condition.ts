import { allowsSource } from '../search/facet-filter.ts';
import type { HeldLog } from '../store/held-log.ts';
import type { HeldSource } from '../store/source-table.ts';
import type { FacetFilter, SourceCondition, Unanswered } from './protocol.ts';

/** `terminated: Error (2)` of the server's text. */
const TERMINATED = /^terminated(?:: (.*?))?(?: \((\d+)\))?$/;

/** How a container stands: what its connection says goes before what its pod said last. */
export function conditionOf(log: HeldLog, { wire, isGone }: HeldSource): SourceCondition {
  const { unanswered, away, problems } = log;
  if (isGone) return { kind: 'gone' };
  if (unanswered.has(wire.id)) return { kind: 'unanswered' };
  const error = (problems.get(`source ${wire.id}`) ?? problems.get(`page ${wire.id}`))?.error;
  if (error !== undefined) {
    if (error.denied !== undefined || error.code === 'forbidden') return { kind: 'forbidden' };
    return { kind: away.has(wire.id) ? 'away' : 'failed' };
  }
  return podCondition(wire.state);
}

function podCondition(state: string): SourceCondition {
  if (state.startsWith('waiting')) return { kind: 'waiting', reason: state.slice('waiting: '.length) };
  const terminated = TERMINATED.exec(state);
  if (terminated === null) return { kind: 'running' };
  const [, reason = '', exitCode = '0'] = terminated;
  return { kind: 'finished', reason, exitCode: Number(exitCode) };
}

/** The containers that have not answered, of those that the facets let through. */
export function unansweredOf({ unanswered, store }: HeldLog, facets: FacetFilter): Unanswered | undefined {
  if (unanswered.size === 0) return undefined;
  const wanted = new Map<string, HeldSource>();
  for (const source of store.sources.all)
    if (unanswered.has(source.wire.id) && !source.isGone && allowsSource(facets, source))
      wanted.set(source.wire.id, source);
  if (wanted.size === 0) return undefined;
  const ids = [...wanted.keys()];
  const nodes = new Set([...wanted.values()].map(({ wire }) => wire.node));
  return {
    ids,
    node: nodes.size === 1 ? [...nodes][0] : undefined,
    sinceMs: Math.min(...ids.map((id) => unanswered.get(id) ?? Number.POSITIVE_INFINITY)),
  };
}
