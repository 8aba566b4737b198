import type { MouseEvent } from 'react';
import type { EntryId } from '../../../worker/protocol/protocol.ts';
import { unlessGone } from '../../../worker/session/log-worker-client.ts';
import type { ConsoleSession } from '../../session/console-session.ts';
import { type PairBarProps, type ToolProps, useSlots } from '../../tools/slots.ts';

/** The field of a row that the user clicked. */
export interface ClickedPair extends Pick<PairBarProps, 'at' | 'anchor'> {
  readonly entry: EntryId;
}

/** Selects the clicked row. Returns the clicked field, if any. */
export function clickRow(session: ConsoleSession, event: MouseEvent): ClickedPair | undefined {
  const target = event.target as Element;
  const entry = entryAt(target);
  if (entry === undefined || target.closest('button, a, .tree-box') !== null) return undefined;
  // The click only ended a text selection with the mouse.
  if (!event.shiftKey && getSelection()?.isCollapsed === false) return undefined;
  session.follow(false);
  const how = event.shiftKey ? 'range' : event.ctrlKey || event.metaKey ? 'toggle' : 'only';
  unlessGone(session.select(entry, how));
  const pair = target.closest<HTMLElement>('[data-pair]');
  if (pair === null || how !== 'only') return undefined;
  // For a field that wraps, the box that was clicked.
  const boxes = [...pair.getClientRects()];
  const box = boxes.find(({ top, bottom }) => event.clientY >= top && event.clientY <= bottom) ?? boxes[0];
  const { left = 0, top = 0, bottom = 0 } = box ?? {};
  return { entry, at: Number(pair.dataset.pair), anchor: { leftPx: left, topPx: top, bottomPx: bottom } };
}

/** The row that contains an element. */
export function entryAt(target: Element): EntryId | undefined {
  const entry = target.closest<HTMLElement>('[data-entry]')?.dataset.entry;
  return entry === undefined ? undefined : Number(entry);
}

interface PairToolsProps {
  readonly tools: ToolProps;
  readonly pair: ClickedPair;
  readonly onClose: () => void;
}

/** The actions for the field, as long as its row is held. */
export function PairTools({ tools, pair, onClose }: PairToolsProps) {
  const { PairBar } = useSlots();
  const row = tools.session.rowOf(pair.entry);
  if (row?.kind !== 'line') return null;
  return (
    <PairBar
      row={row}
      at={pair.at}
      anchor={pair.anchor}
      url={tools.url}
      setUrl={tools.setUrl}
      onClose={onClose}
    />
  );
}
