import type { Standing } from '../console/session/standing.ts';
import type { Unanswered } from '../worker/session/protocol.ts';
import { countText } from './count.ts';

/** Describes the connection for the status line; a reconnection has its own text with a countdown. */
export function standingText(standing: Exclude<Standing, { readonly kind: 'reconnecting' }>): string {
  if (standing.kind !== 'partly') return TEXTS[standing.kind];
  const { total, away, forbidden, unanswered } = standing;
  const of = (count: number) => `${count.toLocaleString('en')} of ${countText(total, 'container')}`;
  const texts: string[] = [];
  if (away > 0) texts.push(`${of(away)} disconnected, retrying`);
  if (unanswered > 0) texts.push(`no answer from ${of(unanswered)}`);
  if (forbidden > 0) texts.push(`${of(forbidden)} forbidden`);
  return texts.join('; ');
}

const TEXTS = {
  connecting: 'connecting',
  connected: 'connected',
  ended: 'ended',
  'all-finished': 'all containers finished',
  'awaiting-pods': 'all containers finished, waiting for new pods',
  'cluster-away': 'cluster not responding, retrying',
  'all-forbidden': 'no permission to read these logs',
  'all-unanswered': 'no container has answered',
} as const;

/** Text of the pressed Follow button: whether the page is following, waiting, or has nothing to follow. */
export function followText({ kind }: Standing): string {
  switch (kind) {
    case 'connected':
    case 'connecting':
    case 'partly':
      return 'Following';
    case 'awaiting-pods':
    case 'reconnecting':
    case 'cluster-away':
    case 'all-unanswered':
      return 'Waiting';
    case 'ended':
    case 'all-finished':
    case 'all-forbidden':
      return 'Nothing to follow';
  }
}

/** Returns `2 containers on node shop-b-1 have not answered for 5 s`. */
export function unansweredText({ ids, node, sinceMs }: Unanswered, nowMs: number): string {
  const where = node === undefined ? '' : ` on node ${node}`;
  const seconds = Math.max(0, Math.floor((nowMs - sinceMs) / 1000));
  const have = ids.length === 1 ? 'has' : 'have';
  return `${countText(ids.length, 'container')}${where} ${have} not answered for ${durationText(seconds)}`;
}

/** Returns `5 s`, `2 min 5 s`, `1 h 2 min`. */
function durationText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/**
 * Text above the first line, if no earlier line exists; `goneRuns`: see countGoneRuns. `lostBeginnings`: number of
 * containers whose log begins late.
 */
export function beginningText(goneRuns: number, lostBeginnings = 0): string {
  if (lostBeginnings > 0)
    return `Beginning of logs · ${lateText(lostBeginnings)} more than 10 min after the start: earlier lines may be gone`;
  if (goneRuns === 0) return 'Beginning of logs';
  const runs = goneRuns === 1 ? '1 earlier run is' : `${goneRuns.toLocaleString('en')} earlier runs are`;
  return `Beginning of logs · ${runs} gone: Kubernetes keeps one`;
}

function lateText(count: number): string {
  return count === 1 ? 'that of 1 container begins' : `those of ${countText(count, 'container')} begin`;
}

/** Returns the tab's title: `3 err/s · web, api` while errors arrive, else the names of the sources. */
export function titleText(sources: readonly string[], errorsPerSecond: number): string {
  const names = sources
    .map((source) => source.replace(/^[^:]*:/, '').replace(/^[^/]*\/(?!\*)/, ''))
    .join(', ');
  if (errorsPerSecond > 0) return `${errorsPerSecond.toLocaleString('en')} err/s · ${names}`;
  return names === '' ? 'logtool' : `${names} · logtool`;
}
