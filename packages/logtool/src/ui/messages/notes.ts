import type { CommandLack, Note, NotedKind } from '../console/state/note.ts';
import type { ZoneClock } from '../console/state/zone-time.ts';
import type { FindStatus, UnreadRange } from '../worker/protocol/protocol.ts';
import { bytesText, countText } from './count.ts';
import { rangeText } from './coverage.ts';
import { timeText } from './dated-time.ts';

const LACKS: Readonly<Record<CommandLack, string>> = {
  levels: 'the levels, which exclude each other',
  'excluded-containers': 'excluded containers',
  'excluded-nodes': 'excluded nodes and zones',
  runs: 'runs',
  fields: 'field filters',
  search: 'the search',
};

const NAMES: Readonly<Record<NotedKind, string>> = {
  hit: 'hit',
  error: 'error',
  warn: 'warning',
  event: 'event',
  line: 'line',
};
const ONE: Readonly<Record<NotedKind, string>> = {
  hit: 'a hit',
  error: 'an error',
  warn: 'a warning',
  event: 'an event',
  line: 'a line',
};
const MAX_NAMED = 3;

/** Returns the note for the status line. */
export function noteText(note: Note, clock: ZoneClock): string {
  switch (note.code) {
    case 'copied':
      return `Copied ${countText(note.lines, 'line')}`;
    case 'link-copied':
      return 'Copied a link to this line';
    case 'pins-link-copied':
      return 'Copied a link to the pinned lines';
    case 'command-copied': {
      const without = note.without.map((lack) => LACKS[lack]).join(', ');
      return without === '' ? 'Copied a command' : `Copied a command, without ${without}`;
    }
    case 'selected':
      return note.rows < note.ofRows
        ? `Selected the newest ${countText(note.rows, 'row')} of ${note.ofRows.toLocaleString('en')}`
        : `Selected ${countText(note.rows, 'row')}`;
    case 'pinned':
      return `Pinned the line; ${countText(note.pins, 'pin')} in the address`;
    case 'unpinned':
      return `Unpinned the line; ${countText(note.pins, 'pin')} in the address`;
    case 'too-many-pins':
      return `Not pinned: the address has room for ${note.maxChars.toLocaleString('en')} characters; unpin a line or shorten a note`;
    case 'nothing-selected':
      return 'Select a line first';
    case 'clipboard-blocked':
      return 'The browser blocked access to the clipboard';
    case 'downloaded':
      return `Downloaded ${countText(note.lines, 'line')}`;
    case 'download-awaited':
      return 'Waiting for the first lines of the download…';
    case 'download-started':
      return 'Download started; the browser shows its progress';
    case 'download-failed':
      return `The download failed: ${note.cause}`;
    case 'still-loading':
      return 'Lines are still loading';
    case 'no-lines':
      return 'No lines are loaded';
    case 'events-reading':
      return 'logtool is still reading events';
    case 'events-off':
      return 'Events are off';
    case 'search-fault':
      return 'The search has an error: logtool did not search';
    case 'not-found':
    case 'none-left':
    case 'not-all-read':
      return noneText(note);
    case 'unread':
      return unreadText(note, clock);
    case 'find-stopped':
      return findStoppedText(note, clock);
    case 'jump-stopped':
      return jumpStoppedText(note, clock);
    case 'found-without':
      return `The nearest ${NAMES[note.what]} that logtool read; it could not read ${withoutText(note)}, which may have a nearer one`;
    case 'error':
      return note.what;
  }
}

/** What a jump goes to. */
const POSITIONS = { start: 'the beginning', end: 'the newest line', time: 'that time' } as const;

/** Describes a jump that is not there yet. */
export function jumpingText(to: keyof typeof POSITIONS): string {
  return `Going to ${POSITIONS[to]}…`;
}

function jumpStoppedText(
  { to, oldestSeconds }: Extract<Note, { readonly code: 'jump-stopped' }>,
  clock: ZoneClock,
): string {
  const reached =
    to !== 'start' || oldestSeconds === undefined
      ? ''
      : `; the oldest loaded line is from ${timeText(clock, oldestSeconds * 1_000)}`;
  return `Stopped on the way to ${POSITIONS[to]}${reached}`;
}

function findStoppedText(
  { what, lines, bytes, unread }: Extract<Note, { readonly code: 'find-stopped' }>,
  clock: ZoneClock,
): string {
  const read = lines > 0 ? `loading ${countText(lines, 'line')}` : bytesText(bytes);
  const rest = unread === undefined ? '' : `; unread: ${unreadRangeText(unread, clock)}`;
  return `Stopped after ${read}: no ${NAMES[what]} so far${rest}`;
}

function noneText({ code, what, where }: Extract<Note, { readonly where: unknown }>): string {
  const further = where === undefined ? '' : ` further ${where}`;
  switch (code) {
    case 'not-found':
      return `No ${NAMES[what]}${further}`;
    case 'none-left':
      return `No ${NAMES[what]}${further} in the readable part of the log; lines are missing`;
    case 'not-all-read':
      return `No ${NAMES[what]} found${further}; part of the log is unread`;
  }
}

function unreadText({ what, unread }: Extract<Note, { readonly code: 'unread' }>, clock: ZoneClock): string {
  const range = unreadRangeText(unread, clock);
  if (unread.containers.length > 0)
    return `Stayed here: logtool could not read ${namesText(unread.containers)}, which may have a nearer ${NAMES[what]} in ${range}`;
  return `No ${NAMES[what]} in the ${bytesText(unread.bytes)} that logtool read; unread: ${range}`;
}

function unreadRangeText({ fromMs, toMs }: UnreadRange, clock: ZoneClock): string {
  return rangeText(fromMs, toMs, clock, Date.now());
}

function withoutText({ containers, sources }: Extract<Note, { readonly code: 'found-without' }>): string {
  const texts = containers.length === 0 ? [] : [namesText(containers)];
  if (sources > 0) texts.push(countText(sources, 'source'));
  return texts.join(' and ');
}

function namesText(names: readonly string[]): string {
  const others = names.length - MAX_NAMED;
  return names.slice(0, MAX_NAMED).join(', ') + (others > 0 ? ` and ${others} more` : '');
}

/** Names the action for what was not read; undefined: none. */
export function goOnText(note: Note): string | undefined {
  if (note.code === 'find-stopped' && note.unread !== undefined) return 'Continue';
  if (note.code !== 'unread') return undefined;
  return note.unread.containers.length === 0
    ? 'Continue'
    : `Continue without ${note.unread.containers.length === 1 ? 'it' : 'them'}`;
}

/** Describes the progress of a search for a line. */
export function findingText({ what, lines, bytes, containersDone, containers }: FindStatus): string {
  const begin = `Looking for ${ONE[what]}`;
  if (containers > 0)
    return `${begin}: read ${bytesText(bytes)}, ${containersDone} of ${countText(containers, 'container')} done`;
  return lines > 0 ? `${begin}: loaded ${countText(lines, 'line')}` : `${begin}…`;
}
