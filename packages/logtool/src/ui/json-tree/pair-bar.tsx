import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { legibleText } from '../ansi/plain-text.ts';
import { structuredOf } from '../console/session/line-fields.ts';
import type { PairBarProps } from '../console/tools/slots.ts';
import { FieldActions } from './field-actions.tsx';
import { fieldOf } from './tree-lines.ts';

const MARGIN_PX = 8;

/**
 * The actions for a clicked field of a row. The focus stays in the log; Escape, scrolling and a click
 * elsewhere close the bar.
 */
export function PairBar({ row, at, anchor, url, setUrl, onClose }: PairBarProps) {
  const bar = useRef<HTMLDivElement>(null);
  const field = structuredOf(row)?.fields[at];
  const position = usePosition(bar, anchor);
  useEnd(bar, onClose);
  if (field === undefined) return null;
  const { label, ...rest } = fieldOf(row.text, field, row.isJson);
  return (
    <div
      ref={bar}
      className="pair-bar"
      role="toolbar"
      aria-label={`Field ${legibleText(label)}`}
      style={position}
    >
      <b>{legibleText(label)}</b>
      <FieldActions
        field={{ label, ...rest }}
        url={url}
        setUrl={(change, options) => {
          onClose();
          setUrl(change, options);
        }}
      />
    </div>
  );
}

/** Positions the bar below the clicked field, or above it if there is no space, always inside the window. */
function usePosition(bar: React.RefObject<HTMLElement | null>, anchor: PairBarProps['anchor']) {
  const [position, setPosition] = useState({ left: anchor.leftPx, top: anchor.bottomPx });
  useLayoutEffect(() => {
    const { offsetWidth = 0, offsetHeight = 0 } = bar.current ?? {};
    const left = Math.max(MARGIN_PX, Math.min(anchor.leftPx, innerWidth - offsetWidth - MARGIN_PX));
    const isLow = anchor.bottomPx + offsetHeight + MARGIN_PX > innerHeight;
    setPosition({ left, top: isLow ? anchor.topPx - offsetHeight : anchor.bottomPx });
  }, [bar, anchor]);
  return position;
}

function useEnd(bar: React.RefObject<HTMLElement | null>, onClose: () => void): void {
  const latest = useRef(onClose);
  useEffect(() => {
    latest.current = onClose;
  });
  useEffect(() => {
    const isInside = (event: Event) => bar.current?.contains(event.target as Node) === true;
    const onPointer = (event: Event) => {
      if (!isInside(event)) latest.current();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        event.preventDefault();
        event.stopPropagation();
      } else if (isInside(event) || event.key === 'Tab' || isModifier(event.key)) return;
      latest.current();
    };
    addEventListener('pointerdown', onPointer, true);
    addEventListener('keydown', onKey, true);
    return () => {
      removeEventListener('pointerdown', onPointer, true);
      removeEventListener('keydown', onKey, true);
    };
  }, [bar]);
}

function isModifier(key: string): boolean {
  return ['Shift', 'Control', 'Alt', 'Meta'].includes(key);
}
