import type { WireError } from '../../../contract/error.ts';
import type { ScanStatus, ViewSource } from '../../worker/protocol/protocol.ts';
import type { ConsoleUrl } from '../url/console-url.ts';
import type { ConsoleState } from './console-state.ts';
import { canLinesCome, presentSources, standingOf } from './standing.ts';

/** Why no line is shown. */
export type Emptiness =
  | { readonly kind: 'no-source' }
  | { readonly kind: 'no-context' }
  | { readonly kind: 'trouble'; readonly error: WireError }
  | { readonly kind: 'opening' }
  /** The user has just chosen the filters. */
  | { readonly kind: 'filtering' }
  /** Only matching lines would be shown, but the search is invalid. */
  | { readonly kind: 'bad-search' }
  /** The number of containers that have not answered, and of all containers. */
  | { readonly kind: 'unanswered'; readonly count: number; readonly total: number }
  /** Permission is missing for all containers. */
  | { readonly kind: 'forbidden' }
  /** The number of loaded lines, all hidden by the filters, and what is known about the others. */
  | {
      readonly kind: 'filtered';
      readonly lines: number;
      readonly scan: ScanStatus | undefined;
      /** Whether all lines that can be read are loaded. */
      readonly isAll: boolean;
      /** Number of containers with lines that could not be read. */
      readonly unread: number;
      /** Whether lines of the range are missing that nobody can read any more. */
      readonly isMissing: boolean;
      /** What the search for lines of chosen runs found. */
      readonly runSearch: 'none' | 'unread' | undefined;
      /** Number of lines that are hidden because they arrived while paused, whatever the filters accept. */
      readonly paused: number;
    }
  | { readonly kind: 'all-failed' }
  | { readonly kind: 'no-container'; readonly sources: readonly string[]; readonly isLive: boolean }
  | {
      readonly kind: 'no-line';
      readonly isLive: boolean;
      /** Whether a line can arrive now, because a container runs or may be started at any time. */
      readonly canCome: boolean;
      readonly isMissing: boolean;
      /** Whether every container could be read. */
      readonly isRead: boolean;
      readonly waiting: readonly ViewSource[];
      readonly scan: ScanStatus | undefined;
      /** Whether the lines may be in older files of the node, which were not read. */
      readonly mayBeRotated: boolean;
    };

interface Shown {
  readonly state: ConsoleState;
  readonly url: ConsoleUrl;
}

/** `trouble`: why the server or the cluster does not answer. */
export function emptinessOf({ state, url }: Shown, trouble: WireError | undefined): Emptiness {
  const { status } = state;
  if (url.ctx !== '' && url.src.length === 0) return { kind: 'no-source' };
  if (url.ctx === '' || trouble?.code === 'context-not-found') return { kind: 'no-context' };
  if (trouble !== undefined) return { kind: 'trouble', error: trouble };
  const { unanswered } = status;
  if (isOpening(status) && unanswered === undefined) return { kind: 'opening' };
  if (!state.isAnswered) return { kind: 'filtering' };
  if (url.only === true && status.search.error !== undefined) return { kind: 'bad-search' };
  if (status.lines > 0 || (status.scan?.lines ?? 0) > 0) return emptinessOfFilters(state);
  return emptinessOfSources({ state, url });
}

/** Why no line passes the filters. */
function emptinessOfFilters({ status, sources, problems }: ConsoleState): Emptiness {
  const { lines, scan, isWhole, runSearch, unanswered, pausedLines: paused } = status;
  if (runSearch === 'seeking') return { kind: 'filtering' };
  const isRead = unanswered === undefined && !problems.some(({ isOfSource }) => isOfSource === true);
  const isAll = isWhole && isRead;
  const unread = new Set(unreadOf(sources).map(({ id }) => id)).size;
  return { kind: 'filtered', lines, scan, isAll, unread, isMissing: isMissing(status), runSearch, paused };
}

/** Why containers have delivered no line. */
function emptinessOfSources({ state, url }: Shown): Emptiness {
  const { status, sources, problems } = state;
  const { unanswered } = status;
  const here = presentSources(sources);
  // Includes containers that the facets refuse: they may have lines or not.
  const silent = here.filter(({ condition }) => condition.kind === 'unanswered').map(({ id }) => id);
  const { size } = new Set([...silent, ...(unanswered?.ids ?? [])]);
  if (size > 0) return { kind: 'unanswered', count: size, total: new Set(here.map(({ id }) => id)).size };
  if (here.length > 0 && here.every(({ condition }) => condition.kind === 'forbidden'))
    return { kind: 'forbidden' };
  const isLive = status.connection.state === 'live';
  if (here.length === 0 && sources.every(({ isRemoved }) => isRemoved)) {
    return problems.length > 0 ? { kind: 'all-failed' } : { kind: 'no-container', sources: url.src, isLive };
  }
  const idle = here.filter(({ condition }) => condition.kind === 'waiting' || condition.kind === 'between');
  // All runs of a container share its condition.
  const waiting = [...new Map(idle.map((source) => [source.id, source])).values()];
  const isRead = unreadOf(sources).length === 0;
  return {
    kind: 'no-line',
    isLive,
    canCome: isLive && canLinesCome(standingOf({ status, sources })),
    isMissing: isMissing(status),
    isRead,
    waiting,
    scan: status.scan,
    mayBeRotated: url.rotated !== true && status.emptyOnNodes.length > 0,
  };
}

/** Conditions of containers whose lines could not be read. */
const UNREAD: ReadonlySet<string> = new Set(['forbidden', 'refused', 'failed', 'away']);

/** Existing sources with lines that could not be read. */
function unreadOf(sources: readonly ViewSource[]): readonly ViewSource[] {
  return presentSources(sources).filter(({ condition }) => UNREAD.has(condition.kind));
}

function isMissing({ scan, hasGaps }: ConsoleState['status']): boolean {
  return hasGaps || scan?.missing !== undefined;
}

function isOpening({ connection, loading }: ConsoleState['status']): boolean {
  return connection.state === 'connecting' || loading === 'opening' || loading === 'jumping';
}
