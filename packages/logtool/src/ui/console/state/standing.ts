import { countGone } from '../../../domain/coverage/lost.ts';
import type { SourceCondition, ViewSource } from '../../worker/protocol/protocol.ts';
import type { ConsoleUrl } from '../url/console-url.ts';
import type { ConsoleState } from './console-state.ts';

/** Whether lines can arrive, and if not, why. The numbers count containers. */
export type Standing =
  | { readonly kind: 'connecting' | 'connected' | 'ended' | 'all-finished' }
  /** All containers have finished, but those of new pods would be read. */
  | { readonly kind: 'awaiting-pods' }
  /** There is no container, but those of new pods would be read. */
  | { readonly kind: 'no-container' }
  /** No container has started: each waits for its image, its node or its configuration. */
  | { readonly kind: 'awaiting-start' }
  | { readonly kind: 'reconnecting' }
  /** The page is connected to its server, but the server is not connected to any container. */
  | { readonly kind: 'cluster-away' }
  /** The cluster answers, but accepts the credentials for no container. */
  | { readonly kind: 'cluster-refuses' }
  /** A range with an end needs no connection, but a count of it has no answer from the page's server. */
  | { readonly kind: 'server-away' }
  | { readonly kind: 'all-forbidden' }
  | { readonly kind: 'all-unanswered' }
  /** Some containers are read, and some are not. */
  | {
      readonly kind: 'partly';
      readonly total: number;
      readonly away: number;
      readonly forbidden: number;
      readonly unanswered: number;
    };

/** The condition of the view, from the existing containers that the page selects. */
export function standingOf({ status, sources }: Pick<ConsoleState, 'status' | 'sources'>): Standing {
  const { connection } = status;
  if (connection.state === 'connecting' || connection.state === 'reconnecting')
    return { kind: connection.state };
  const conditions = conditionsOf(sources, status.unanswered?.ids ?? []);
  const count = (kind: SourceCondition['kind']) => conditions.filter((each) => each.kind === kind).length;
  const open = conditions.length - count('finished');
  if (connection.state === 'ended') return endedStanding(status, conditions);
  if (conditions.length === 0) return { kind: 'no-container' };
  if (open === 0) return { kind: 'awaiting-pods' };
  if (conditions.filter(hasNotStarted).length === open) return { kind: 'awaiting-start' };
  const [refused, forbidden, unanswered] = [count('refused'), count('forbidden'), count('unanswered')];
  const away = count('away') + refused;
  if (forbidden === open) return { kind: 'all-forbidden' };
  if (unanswered === open) return { kind: 'all-unanswered' };
  if (away === open - forbidden) return { kind: refused === away ? 'cluster-refuses' : 'cluster-away' };
  if (away + forbidden + unanswered === 0) return { kind: 'connected' };
  return { kind: 'partly', total: conditions.length, away, forbidden, unanswered };
}

/** Nothing more comes; a count may show that the cluster or the page's server does not answer. */
function endedStanding(
  { scan, hitScan }: ConsoleState['status'],
  conditions: readonly SourceCondition[],
): Standing {
  const away = hitScan?.away ?? scan?.away;
  if (away !== undefined) return { kind: `${away}-away` };
  return { kind: hasOnlyFinished(conditions) ? 'all-finished' : 'ended' };
}

/** Whether a line can arrive now. */
export function canLinesCome({ kind }: Standing): boolean {
  return kind === 'connected' || kind === 'connecting' || kind === 'partly';
}

/** Whether there is anything to follow: lines can arrive now or later. */
export function canFollow({ kind }: Standing): boolean {
  return kind !== 'ended' && kind !== 'all-finished' && kind !== 'all-forbidden';
}

/**
 * Nodes whose older log files the page offers to read: logs of them begin late, or are empty though their
 * containers have run for long, and it does not read those files yet.
 */
export function nodesToOffer({
  state,
  url,
}: {
  readonly state: Pick<ConsoleState, 'status'>;
  readonly url: Pick<ConsoleUrl, 'rotated'>;
}): readonly string[] {
  const { lostOnNodes, emptyOnNodes } = state.status;
  return url.rotated === true ? [] : [...new Set([...lostOnNodes, ...emptyOnNodes])].sort();
}

/** Existing sources that the page selects. */
export function presentSources(sources: readonly ViewSource[]): readonly ViewSource[] {
  return sources.filter(({ isGone, isRemoved }) => !isGone && !isRemoved);
}

/**
 * Counts earlier runs of containers that can no longer be read: a node keeps the log of one earlier run, and the page
 * those that it received itself. See https://kubernetes.io/docs/concepts/cluster-administration/logging/#log-rotation.
 */
export function countGoneRuns(sources: readonly ViewSource[]): number {
  const runs = new Map<string, { state: ViewSource['state']; held: number }>();
  for (const { id, state } of presentSources(sources))
    runs.set(id, { state, held: (runs.get(id)?.held ?? 0) + 1 });
  return [...runs.values()].reduce((sum, { state: { kind, restarts }, held }) => {
    const received = Math.max(0, restarts + 1 - held);
    return sum + Math.min(received, countGone(kind, restarts));
  }, 0);
}

/**
 * By container, because all of its runs share one condition. `silent`: the containers that are waited for; others that do
 * not answer are left out of the view.
 */
function conditionsOf(sources: readonly ViewSource[], silent: readonly string[]): readonly SourceCondition[] {
  const here = presentSources(sources).filter(
    ({ id, condition }) => condition.kind !== 'unanswered' || silent.includes(id),
  );
  return [...new Map(here.map(({ id, condition }) => [id, condition])).values()];
}

/** A container that crashed may be started at any time; one that waits for anything else has not begun to run. */
function hasNotStarted(condition: SourceCondition): boolean {
  return condition.kind === 'waiting' && condition.reason !== 'CrashLoopBackOff';
}

function hasOnlyFinished(conditions: readonly SourceCondition[]): boolean {
  return conditions.length > 0 && conditions.every(({ kind }) => kind === 'finished');
}
