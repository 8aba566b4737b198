import { type ReactNode, useEffect, useRef } from 'react';
import type { EntryId } from '../../../worker/protocol/protocol.ts';
import type { ConsoleSession } from '../../session/console-session.ts';
import { GRID_CELL } from './grid-cell.ts';

interface OpenedBoxProps {
  readonly entry: EntryId;
  readonly session: ConsoleSession;
  readonly children: ReactNode;
}

/** The box below an open row; when its height changes, the rows around it move. */
export function OpenedBox({ entry, session, children }: OpenedBoxProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const observer = new ResizeObserver(() => {
      const heightPx = element.closest<HTMLElement>('[data-entry]')?.offsetHeight;
      if (heightPx !== undefined) session.scroller.measured(new Map([[entry, heightPx]]));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [entry, session]);
  return (
    <div ref={box} className="tree-box" {...GRID_CELL}>
      {children}
    </div>
  );
}
