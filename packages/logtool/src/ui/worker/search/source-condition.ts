import type { WireContainerState } from '../../../contract/log-source.ts';
import type { FacetFilter, SourceCondition, Unanswered } from '../protocol/protocol.ts';
import type { HeldLog } from '../store/held-log.ts';
import type { HeldSource } from '../store/source-table.ts';
import { allowsSource } from './facet-filter.ts';

/** Returns the condition of a container: its connection's state takes precedence over its pod's last status. */
export function conditionOf(log: HeldLog, { wire, owner }: HeldSource): SourceCondition {
  const { unanswered, late, away } = log;
  if (owner.isGone) return { kind: 'gone' };
  if (unanswered.has(wire.id)) return { kind: 'unanswered' };
  const error = log.problemOf(wire.id)?.error;
  if (error !== undefined) {
    if (error.denied !== undefined || error.code === 'forbidden') return { kind: 'forbidden' };
    if (error.code === 'unauthorized') return { kind: 'refused' };
    return { kind: away.has(wire.id) ? 'away' : 'failed' };
  }
  if (late.has(wire.id)) return { kind: 'unanswered' };
  return podCondition(owner.state);
}

function podCondition(state: WireContainerState): SourceCondition {
  if (state.kind === 'running') return { kind: 'running' };
  if (state.kind === 'waiting') return { kind: 'waiting', reason: state.reason };
  state.kind satisfies 'terminated';
  const { reason, exitCode, mayRestart } = state;
  return { kind: mayRestart ? 'between' : 'finished', reason, exitCode };
}

/** The containers that have not answered, among those that the facets accept. */
export function unansweredOf(log: HeldLog, facets: FacetFilter): Unanswered | undefined {
  if (!log.lacksContainers) return undefined;
  const { unanswered, late, silent, store } = log;
  const wanted = new Map<string, HeldSource>();
  for (const source of store.sources.all)
    if (silent.has(source.wire.id) && !source.owner.isGone && allowsSource(facets, source))
      wanted.set(source.wire.id, source);
  if (wanted.size === 0) return undefined;
  const ids = [...wanted.keys()];
  const nodes = new Set([...wanted.values()].map(({ wire }) => wire.node));
  return {
    ids,
    node: nodes.size === 1 ? [...nodes][0] : undefined,
    sinceMs: Math.min(...ids.map((id) => unanswered.get(id) ?? late.sinceMs(id) ?? Number.POSITIVE_INFINITY)),
  };
}
