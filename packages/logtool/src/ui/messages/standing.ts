import { LATE_TEXT } from '../../messages/gap.ts';
import type { Standing } from '../console/state/standing.ts';
import type { Unanswered } from '../worker/protocol/protocol.ts';
import { countText } from './count.ts';
import { goneRunsText } from './coverage.ts';

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
  'no-container': 'no container, waiting for new pods',
  'awaiting-start': 'no container has started',
  'cluster-away': 'cluster not responding, retrying',
  'cluster-refuses': 'cluster refuses the credentials, retrying',
  'server-away': 'logtool not responding, retrying',
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
    case 'no-container':
    case 'awaiting-start':
    case 'reconnecting':
    case 'cluster-away':
    case 'cluster-refuses':
    case 'server-away':
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

/** What precedes the first line of a list that begins with the oldest lines that can be read. */
interface BeforeFirst {
  /** Earlier runs that are gone: see countGoneRuns. */
  readonly goneRuns: number;
  /** Number of containers whose log begins late. */
  readonly lostBeginnings?: number;
  /** Number of containers that no longer exist, and had lines that are not loaded. */
  readonly goneContainers?: number;
}

/** Text above the first line, if no earlier line can be read. `isOfRange`: the list begins with a range. */
export function beginningText(
  { goneRuns, lostBeginnings = 0, goneContainers = 0 }: BeforeFirst,
  isOfRange = false,
): string {
  const texts: string[] = [];
  if (lostBeginnings > 0)
    texts.push(`the ${lateText(lostBeginnings)} ${LATE_TEXT}: earlier lines may be gone`);
  if (goneRuns > 0) texts.push(goneRunsText(goneRuns));
  if (goneContainers > 0)
    texts.push(
      `${countText(goneContainers, 'container')} that no longer ${goneContainers === 1 ? 'exists' : 'exist'} may have earlier ones`,
    );
  const isKnown = lostBeginnings + goneContainers === 0 && (goneRuns === 0 || !isOfRange);
  const begin = isOfRange ? 'Beginning of the range' : 'Beginning of logs';
  const oldest = isOfRange ? 'Oldest lines of the range' : 'Oldest lines';
  const from =
    goneContainers > 0 ? `Oldest readable lines${isOfRange ? ' of the range' : ''}` : `${oldest} on the node`;
  return [isKnown ? begin : from, ...texts].join(' · ');
}

function lateText(count: number): string {
  return count === 1 ? 'log of 1 container begins' : `logs of ${countText(count, 'container')} begin`;
}

/** Returns the name of a source argument without namespace and kind; a pattern keeps its kind: `web`, `deployments/*`. */
export function sourceName(source: string): string {
  return source.replace(/^[^:]*:/, '').replace(/^[^/]*\/(?!\*)/, '');
}

/** Returns the tab's title: `3 err/s · web, api` while errors arrive, else the names of the sources. */
export function titleText(sources: readonly string[], errorsPerSecond: number): string {
  const names = sources.map(sourceName).join(', ');
  if (errorsPerSecond > 0) {
    const digits = errorsPerSecond < 10 ? 1 : 0;
    return `${errorsPerSecond.toLocaleString('en', { maximumFractionDigits: digits })} err/s · ${names}`;
  }
  return names === '' ? 'logtool' : `${names} · logtool`;
}
