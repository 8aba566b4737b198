import { type RefObject, useEffect, useRef } from 'react';
import { isTyping } from '../frame/typing.ts';
import { commandOf } from '../keys/chord.ts';
import { CONSOLE_KEYS, type ConsoleCommand } from '../keys/log-keys.ts';
import { unlessGone } from '../worker/session/log-worker-client.ts';
import { copyLink, copySelection } from './bar/copy.ts';
import { togglePin } from './pins/pin-change.ts';
import type { ToolProps } from './tools/slots.ts';

/** Handles the console's keys wherever the focus is on the page, except in fields and dialogs. */
export function useConsoleKeys(tools: ToolProps, page: RefObject<HTMLElement | null>): void {
  const latest = useRef(tools);
  useEffect(() => {
    latest.current = tools;
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || isTyping(event.target)) return;
      const inPage = event.target === document.body || page.current?.contains(event.target as Node) === true;
      const command = inPage ? commandOf(CONSOLE_KEYS, event) : undefined;
      if (command === undefined || isForControl(event, command)) return;
      if (run(command, latest.current, page.current)) event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [page]);
}

/** Whether a focused control, or the scrolling list around it, uses the key itself. */
function isForControl(event: KeyboardEvent, command: ConsoleCommand): boolean {
  const target = event.target as Element;
  if (event.key === 'Enter' || event.key === ' ')
    return target.closest('button, a[href], summary, input, [role="slider"]') !== null;
  const scrolls =
    command.do === 'move' || command.do === 'page' || event.key === 'Home' || event.key === 'End';
  return scrolls && target.closest('input, [role="slider"], .console-side, .problems') !== null;
}

function run(command: ConsoleCommand, tools: ToolProps, page: HTMLElement | null): boolean {
  const { session, state, url, setUrl } = tools;
  switch (command.do) {
    case 'move':
      session.move(command.rows, command.selects);
      return true;
    case 'page':
      session.page(command.direction);
      return true;
    case 'start':
      unlessGone(session.jump({ at: 'start' }));
      return true;
    case 'end':
    case 'follow':
      session.follow(command.do === 'end' || !state.isFollowing);
      return true;
    case 'pause':
      session.pause(state.pausedAtMs === undefined);
      return true;
    case 'toggle':
    case 'details':
      return openActive(tools, command.do);
    case 'search':
      page?.querySelector<HTMLElement>('[data-search-field]')?.focus();
      return true;
    case 'find':
      unlessGone(session.find(command.what, command.direction));
      return true;
    case 'copy':
      return copyUnlessMarked(tools);
    case 'copy-named':
      unlessGone(copySelection(session, 'named'));
      return true;
    case 'select-all':
      unlessGone(session.selectAll());
      return true;
    case 'link':
      unlessGone(copyLink(session, url));
      return true;
    case 'wrap':
    case 'group':
    case 'raw':
    case 'equal':
      setUrl(switched(url, SWITCH_OF[command.do]), { replace: true });
      return true;
    case 'pin':
      togglePin(tools);
      return true;
    case 'pins':
      session.showPins(!state.showsPins);
      return true;
    case 'around':
      session.showAround(state.around === undefined ? state.active : undefined);
      return true;
    case 'escape':
      return closeOne(tools);
  }
}

function openActive({ session, state }: ToolProps, what: 'toggle' | 'details'): boolean {
  if (state.active === undefined) return false;
  if (what === 'toggle') session.toggle(state.active);
  else session.toggleDetails(state.active);
  return true;
}

/** Leaves copying to the browser if text is selected with the mouse. */
function copyUnlessMarked({ session }: ToolProps): boolean {
  if (getSelection()?.isCollapsed === false) return false;
  unlessGone(copySelection(session));
  return true;
}

/** The switch of the address that a key toggles. */
const SWITCH_OF = { wrap: 'wrap', group: 'flat', raw: 'raw', equal: 'equal' } as const;

function switched(url: ToolProps['url'], name: (typeof SWITCH_OF)[keyof typeof SWITCH_OF]) {
  return { [name]: url[name] !== true };
}

/** Stops a running search, or else closes what is open, one item at a time. */
function closeOne({ session, state }: ToolProps): boolean {
  if (session.stopFinding()) return true;
  if (state.showsPins) session.showPins(false);
  else if (state.around !== undefined) session.showAround(undefined);
  else if (state.active !== undefined && state.open.has(state.active)) session.toggleDetails(state.active);
  else if (state.selected.size > 0) session.clearSelection();
  else return false;
  return true;
}
