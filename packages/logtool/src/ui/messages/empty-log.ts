import type { Emptiness } from '../console/state/emptiness.ts';
import type { ZoneClock } from '../console/state/zone-time.ts';
import type { ScanStatus } from '../worker/protocol/protocol.ts';
import { countText } from './count.ts';
import { isExact, missingTexts, scopeText } from './coverage.ts';
import { logMessageOf } from './log-message-of.ts';
import { sentence } from './sentence.ts';

const MAY_BE_ROTATED =
  'logtool read the newest log file of each container. Earlier lines may be in older files, if the node rotated them.';

interface EmptyText {
  readonly title: string;
  readonly text?: string;
}

/** Shown in place of lines if there are none; a missing context has its own message. */
export function emptyText(
  emptiness: Exclude<Emptiness, { readonly kind: 'no-context' }>,
  clock: ZoneClock,
  nowMs: number,
): EmptyText {
  switch (emptiness.kind) {
    case 'no-source':
      return {
        title: 'No source chosen',
        text: 'Add one with + above, or choose workloads on the home page.',
      };
    case 'trouble': {
      const { what, why, next } = logMessageOf(emptiness.error);
      const texts = [why, next].flatMap((text) => (text === undefined ? [] : `${sentence(text)}.`));
      return { title: sentence(what), text: texts.join(' ') };
    }
    case 'opening':
      return { title: 'Opening the logs…' };
    case 'filtering':
      return { title: 'Searching…' };
    case 'bad-search':
      return {
        title: 'The search has an error',
        text: 'logtool did not search. See the error beside the search field.',
      };
    case 'unanswered':
      return unansweredText(emptiness);
    case 'forbidden':
      return {
        title: 'No permission',
        text: 'You lack permission to read these logs. See the problem above.',
      };
    case 'filtered':
      return filteredText(emptiness, clock, nowMs);
    case 'all-failed':
      return { title: 'Nothing to show', text: 'See the problem above.' };
    case 'no-container': {
      const later = emptiness.isLive ? ' Its lines appear here when it does.' : '';
      return {
        title: 'No container matches',
        text: `Nothing runs under ${emptiness.sources.join(', ')} now.${later}`,
      };
    }
    case 'no-line': {
      return noLineText(emptiness, clock, nowMs);
    }
  }
}

function noLineText(
  {
    isLive,
    canCome,
    isMissing,
    isRead,
    waiting,
    scan,
    mayBeRotated,
  }: Extract<Emptiness, { readonly kind: 'no-line' }>,
  clock: ZoneClock,
  nowMs: number,
): EmptyText {
  const missing = scan === undefined ? [] : missingTexts(scan, clock, nowMs);
  const title = noLineTitle(scan, { isLive, canCome, isMissing, isRead });
  const texts = missing.map((text) => `${sentence(text)}.`);
  if (mayBeRotated) texts.push(MAY_BE_ROTATED);
  if (waiting.length > 0) texts.push('These containers are not running:');
  return texts.length === 0 ? { title } : { title, text: texts.join(' ') };
}

function noLineTitle(
  scan: ScanStatus | undefined,
  {
    isLive,
    canCome,
    isMissing,
    isRead,
  }: Pick<Extract<Emptiness, { readonly kind: 'no-line' }>, 'isLive' | 'canCome' | 'isMissing' | 'isRead'>,
): string {
  const following = canCome ? '; following' : '';
  const { fromMs, toMs } = scan ?? {};
  if (fromMs !== undefined && toMs !== undefined && toMs < fromMs) return 'This range ends before it begins';
  const isCounted = scan === undefined || scan.incomplete + scan.failedSources === 0;
  if (!isRead || !isCounted) return 'No lines in the part of this range that logtool read';
  if (isMissing) return `No lines in the readable part of this range${following}`;
  if (isLive) return `No lines yet${following}`;
  const isOver = scan?.state !== 'done' || scan.readToMs === Number.POSITIVE_INFINITY;
  if (isOver) return 'No lines in this range';
  return scan.readToMs === undefined ? 'This range has not begun' : 'No lines in this range so far';
}

function unansweredText({ count, total }: Extract<Emptiness, { readonly kind: 'unanswered' }>): EmptyText {
  if (count >= total)
    return {
      title: 'No answer yet',
      text: 'No container has answered yet. Lines appear as soon as one does.',
    };
  const others = `${countText(total - count, 'other container')} ${total - count === 1 ? 'has' : 'have'}`;
  return {
    title: 'No lines so far',
    text: `${countText(count, 'container')} ${count === 1 ? 'has' : 'have'} not answered; the ${others} no lines.`,
  };
}

/** Describes lines that are not loaded, if the filters hide every loaded line. */
function filteredText(
  {
    lines,
    scan,
    isAll,
    unread,
    isMissing,
    runSearch,
    paused,
  }: Extract<Emptiness, { readonly kind: 'filtered' }>,
  clock: ZoneClock,
  nowMs: number,
): EmptyText {
  const loaded = `${countText(lines, 'line')} loaded.`;
  const none = isMissing
    ? 'No line in the readable part of the logs matches the filters'
    : 'No lines match the filters';
  if (paused > 0 && scan?.lines !== 0) return pausedText(paused, scan, clock, nowMs);
  if (isAll && unread === 0 && scan?.missing === undefined) return { title: none, text: loaded };
  if (runSearch === 'none') return { title: none, text: `${loaded} logtool searched the rest too.` };
  if (scan === undefined) {
    const rest = isAll
      ? `logtool could not read all lines of ${countText(unread, 'container')}.`
      : `logtool ${runSearch === 'unread' ? 'could not search' : 'has not searched'} the rest of the logs.`;
    return { title: 'No loaded line matches the filters', text: `${loaded} ${rest}` };
  }
  const scope = scopeText(scan, clock, nowMs);
  if (scan.lines > 0)
    return { title: matchText(scan.lines), text: `Counted ${scope}. The page has not loaded them yet.` };
  if (isExact(scan)) return { title: none, text: `logtool read every line ${scope}.` };
  return {
    title: scan.state === 'reading' ? 'Searching…' : 'No lines found so far',
    text: `Searched ${scope}.`,
  };
}

function matchText(lines: number): string {
  return `${countText(lines, 'line')} ${lines === 1 ? 'matches' : 'match'} the filters`;
}

/** Describes a paused list without a line: what arrived since may match, and is shown on request. */
function pausedText(
  paused: number,
  scan: ScanStatus | undefined,
  clock: ZoneClock,
  nowMs: number,
): EmptyText {
  const waiting = `${countText(paused, 'line')} arrived since the pause.`;
  if (scan === undefined)
    return { title: 'No line from before the pause matches the filters', text: waiting };
  return { title: matchText(scan.lines), text: `Counted ${scopeText(scan, clock, nowMs)}. ${waiting}` };
}
